// Package project reads how a project is set up: which version of its tools it
// has installed, which files it leaves out, what it is built for. It reads files
// and runs nothing, so that it may look at a checkout that nobody trusts.
package project
