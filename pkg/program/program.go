// Package program is the command lspine as a function, for programs that register extensions.
package program

import "github.com/lspine/lspine/internal/cli"

// Main runs the command line with the arguments of the process, the name of the program first, and
// returns the exit code. It is the whole of a main function: with some arguments the program becomes the
// supervisor of a language server, and Main does not return.
func Main(args []string) int { return cli.Main(args) }
