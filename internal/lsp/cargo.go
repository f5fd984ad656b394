package lsp

import (
	"os"
	"runtime"

	"github.com/lspine/lspine/internal/lsp/proc"
)

// CargoThrough returns the variables by which a server runs cargo, the one at a path, through our own executable, whose main
// function calls [Supervise]; none where that does not run processes in between.
func CargoThrough(cargo string) []string {
	self, err := os.Executable()
	if err != nil || runtime.GOOS == "windows" {
		return nil
	}
	return []string{"CARGO=" + self, proc.CargoVariable + "=" + cargo}
}

// What a server names in place of a crate once cargo, which ran as [CargoThrough] says, has ended, and before the name of a
// package whose build script failed.
const (
	CargoEnded  = proc.CargoEnded
	CargoScript = proc.CargoScript
)
