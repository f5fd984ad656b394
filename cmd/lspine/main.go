// Command lspine tells agents and people the truth about code.
package main

import (
	"os"

	"github.com/lspine/lspine/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args))
}
