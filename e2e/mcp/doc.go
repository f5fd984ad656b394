// Package mcp holds the stories of MCP clients: the official Go client against
// the built binary and real language servers, and the official suites.
package mcp
