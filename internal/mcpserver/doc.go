// Package mcpserver is the front that speaks MCP: tools, resources and notifications generated from
// the catalog of operations, over any stream and over HTTP, for every revision of the protocol that
// the SDK supports.
//
// No state of a caller depends on the MCP session alone, because the newest revision has none. What
// a session does own (its roots, its subscriptions, the context of its handlers) ends with it.
package mcpserver
