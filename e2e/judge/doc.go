// Package judge asks the languages' own batch compilers what is wrong with a tree:
// the truth that the answers of LSPine are held against in tests.
package judge
