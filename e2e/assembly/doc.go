// Package assembly assembles the context of real functions, in projects of several languages, and
// holds the items against what the functions use.
package assembly
