package checking

import (
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
)

// absentName and absentModule match TypeScript's errors about names and modules whose types it does
// not know.
var (
	absentName   = lazyregexp.New(`^Cannot find name '([\w$]+)'`)
	absentModule = lazyregexp.New(`^(?:Cannot find module|Could not find a declaration file for module) '([^']+)'`)
)

// apart returns a function that reports whether changes certainly cause no error in a file that is
// hidden because the project lacks something. files are all files that the changes may affect.
func apart(changes []edit.Change, files []diagnostics.File) func(path string, before, after []byte, excused []protocol.Diagnostic) bool {
	return func(path string, before, after []byte, excused []protocol.Diagnostic) bool {
		var absent []impact.Absent
		for _, d := range excused {
			if m := absentName.FindStringSubmatch(d.Message); m != nil {
				absent = append(absent, impact.Absent{Name: m[1]})
			} else if m := absentModule.FindStringSubmatch(d.Message); m != nil {
				absent = append(absent, impact.Absent{Module: m[1]})
			} else {
				return false
			}
		}
		var edits []impact.Edit
		for _, c := range changes {
			e := impact.Edit{Path: c.Path, Before: c.Before, After: c.After}
			if c.From != "" || c.Deleted || c.Created {
				e.Before, e.After = nil, nil
			}
			edits = append(edits, e)
		}
		other := make(map[string][]byte)
		for _, f := range files {
			if f.Path != path {
				other[f.Path] = f.Content
			}
		}
		return impact.Apart(path, before, after, absent, edits, other)
	}
}
