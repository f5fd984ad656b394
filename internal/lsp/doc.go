// Package lsp is one language server: its process or TCP peer, the handshake,
// the documents open in it, typed requests, and the stream of what it says.
//
// Above this package positions are 0-based with characters in UTF-16 code
// units, whatever the server negotiated, and files are absolute paths.
package lsp
