// Package project reads how a project is set up: the versions of its installed tools, the files it
// excludes, the platforms it is built for. It reads files and runs no program, so it is safe in an
// untrusted checkout. Paths are absolute, and environments are lists of KEY=value.
package project
