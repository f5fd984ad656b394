// Package servers holds the one suite that every real language server must
// pass: the same story, told in its language. Adding a server is adding a
// project. Beside it, two servers judge one file together.
package servers
