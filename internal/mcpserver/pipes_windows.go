package mcpserver

import "golang.org/x/sys/windows"

// pipeErrors say that the other end of a pipe is closed, when reading and when writing.
var pipeErrors = []error{windows.ERROR_BROKEN_PIPE, windows.ERROR_NO_DATA}
