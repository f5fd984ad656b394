// Package lsp talks to one language server: its process or TCP peer, the handshake, the documents
// that are open in it, typed requests, and what it says without being asked.
package lsp
