// Package release finds the newest release of lspine, and puts it in the place of the program
// that runs.
package release
