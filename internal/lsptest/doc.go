// Package lsptest holds what tests of other rooms need: a scripted language
// server that can be polite or as rude as real ones are, a finder of the real
// ones, workspaces from archives, and a count of processes left behind. It is
// imported by tests only.
//
// The scripted server is the test binary itself, run again: a package that
// uses it has a TestMain that calls [Main].
package lsptest
