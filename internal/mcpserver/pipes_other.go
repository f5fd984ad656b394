//go:build !windows

package mcpserver

// pipeErrors: EPIPE says all.
var pipeErrors []error
