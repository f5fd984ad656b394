// Package script holds stories told with the real binary and real servers: what
// a person types, and what they see.
package script
