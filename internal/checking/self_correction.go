package checking

import (
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/result"
)

// handed are the errors of one file that were reported after edits and are still
// there, and how often in a row there were such errors.
type handed struct {
	rounds int
	errors map[string]bool // code and message, without quoted names
}

// count notes which errors of the changed files are handed out, and says in the
// result if that happened too often (03-diagnostics, section 4).
func (ed *edition) count(result *result.Edit) {
	ed.mu.Lock()
	defer ed.mu.Unlock()
	for _, f := range append(result.Files[:len(result.Files):len(result.Files)], result.Others...) {
		if f.Verdict == string(diagnostics.LSPUnavailable) || f.Verdict == string(diagnostics.Unknown) || f.Error != nil {
			continue
		}
		before := ed.handed[f.Path]
		now := handed{errors: make(map[string]bool)}
		for _, d := range f.Diagnostics {
			if d.Severity == "error" {
				now.errors[d.Code+" "+diagnostics.Unnamed(d.Message)] = true
			}
		}
		for _, d := range ed.older[f.Path] {
			if id := d.Code + " " + diagnostics.Unnamed(d.Message); d.Severity == "error" && before.errors[id] {
				now.errors[id] = true
			}
		}
		if len(now.errors) == 0 {
			delete(ed.handed, f.Path)
			continue
		}
		now.rounds = before.rounds + 1
		ed.handed[f.Path] = now
		result.Rounds = max(result.Rounds, now.rounds)
	}
	result.Escalate = result.Rounds > ed.opts.Config.Settings.SelfCorrectionLimit
}
