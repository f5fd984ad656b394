package mcpserver

import "golang.org/x/sys/windows"

// pipeErrors say that the other end of a pipe is closed: while we read, and while we write.
var pipeErrors = []error{windows.ERROR_BROKEN_PIPE, windows.ERROR_NO_DATA}
