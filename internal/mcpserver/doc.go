// Package mcpserver is the front that speaks MCP: tools, resources and
// notifications made from the engine's catalog, over any stream and over HTTP,
// for every revision of the protocol that the SDK knows.
//
// Nothing of a caller lives under the MCP session alone: the newest revision has
// none. What a session does own (its roots, its subscriptions, the context of
// its handlers) ends with it.
package mcpserver
