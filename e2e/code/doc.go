// Package code holds projects, most of them real code, that tests change as people do, by a script or at
// random, and holds what is said of a change against what compilers say.
package code
