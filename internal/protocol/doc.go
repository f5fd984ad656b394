// Package protocol holds the words of the Language Server Protocol that LSPine
// speaks: document URIs, positions and the [Mapper] between their encodings,
// and the results of requests with their many shapes made one.
//
// Decoding is lenient, because servers are: arrays are read element by element
// and one bad element is skipped and counted, numbers out of range are clamped,
// unknown fields and enum values are ignored. What a client sends is built from
// the generated types of go.lsp.dev/protocol, which only this package imports.
package protocol
