// Package program is the command lspine as a function, for programs that register extensions.
package program

import "github.com/lspine/lspine/internal/cli"

// Main runs the command line with the arguments of the process (starting with the name of the
// program) and returns the exit code. It is all that a main function needs: with certain arguments,
// the program becomes the supervisor of a language server, and Main does not return.
func Main(args []string) int { return cli.Main(args) }
