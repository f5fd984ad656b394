// Package project reads how a project is set up: the versions of its installed tools, the files
// that it leaves out, the platforms that it is built for. It reads files and runs nothing, so it is
// safe in a checkout that nobody trusts. Paths are absolute, and environments are lists of
// KEY=value.
package project
