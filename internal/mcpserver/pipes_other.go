//go:build !windows

package mcpserver

// pipeErrors is empty: EPIPE covers everything.
var pipeErrors []error
