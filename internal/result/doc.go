// Package result holds what every operation answers, and how it fails, as plain data:
// each value survives JSON both ways without loss, so that it means the same to a reader
// in this process and to one at the other end of a stream. How results look as text is
// the business of render.
package result
