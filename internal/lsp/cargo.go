package lsp

import (
	"os"
	"runtime"

	"github.com/lspine/lspine/internal/lsp/proc"
)

// CargoThrough returns the variables by which a server runs cargo, the one at a path, through our own executable, whose main
// function calls [Supervise]; none where that does not run processes in between, and if the server, whose path is binary, is
// that executable as well: it plays the server, which needs no cargo, and would itself be taken for cargo.
func CargoThrough(cargo, binary string) []string {
	self, err := os.Executable()
	if err != nil || runtime.GOOS == "windows" {
		return nil
	}
	ours, err := os.Stat(self)
	if err != nil {
		return nil
	}
	if theirs, err := os.Stat(binary); err == nil && os.SameFile(ours, theirs) {
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
