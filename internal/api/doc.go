// Package api declares what the product can do, as data: every operation with its name,
// documentation, class, request and result, and how one is called. An engine carries the
// operations out; fronts and clients know only what is declared here.
package api
