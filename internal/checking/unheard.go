package checking

import (
	"cmp"

	"github.com/lspine/lspine/internal/workspace"
)

// unheard are files that use what changed and could not be judged.
type unheard struct {
	files []string
	// why is the reason, for the first file for which one is known, such as what the project lacks.
	why string
}

// add adds a file under its caller's name for it.
func (u *unheard) add(name, why string) {
	u.files = append(u.files, name)
	u.why = cmp.Or(u.why, why)
}

// String names the first files, and why they could not be judged.
func (u *unheard) String() string {
	list := workspace.FirstOf(u.files)
	if u.why != "" {
		list += " (" + u.why + ")"
	}
	return list
}
