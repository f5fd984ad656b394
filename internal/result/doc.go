// Package result holds what operations answer and how they fail, as plain data. Each value
// survives a round trip through JSON without loss, so that it means the same in this process and
// at the other end of a stream. Package render makes text of it.
package result
