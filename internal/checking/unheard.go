package checking

import (
	"cmp"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/workspace"
)

// unheard are files that use what changed and could not be judged.
type unheard struct {
	files []string
	// missing says what the project lacks, for the first file for which that is known.
	missing string
}

// add adds a file under its caller's name for it.
func (u *unheard) add(name string, report *diagnostics.FileReport) {
	u.files = append(u.files, name)
	u.missing = cmp.Or(u.missing, report.Missing())
}

// String names the first files, and why they could not be judged.
func (u *unheard) String() string {
	list := workspace.FirstOf(u.files)
	if u.missing != "" {
		list += " (" + u.missing + ")"
	}
	return list
}
