package checking

import (
	"slices"

	"github.com/lspine/lspine/internal/diagnostics"
)

// countRounds records which errors of the files are reported, and says in the answer if the limit
// of rounds is exceeded.
func (j *judged) countRounds() {
	answer := &j.answer
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, f := range slices.Concat(answer.Files, answer.Others) {
		if f.Verdict == string(diagnostics.LSPUnavailable) || f.Verdict == string(diagnostics.Unknown) || f.Error != nil {
			continue
		}
		before := j.session.rounds[f.Path]
		now := rounds{errors: make(map[string]bool)}
		for _, d := range f.Diagnostics {
			if d.Severity == "error" {
				now.errors[d.Code+" "+diagnostics.Unnamed(d.Message)] = true
			}
		}
		for _, d := range j.older[f.Path] {
			if id := d.Code + " " + diagnostics.Unnamed(d.Message); d.Severity == "error" && before.errors[id] {
				now.errors[id] = true
			}
		}
		if len(now.errors) == 0 {
			delete(j.session.rounds, f.Path)
			continue
		}
		now.count = before.count + 1
		j.session.rounds[f.Path] = now
		answer.Rounds = max(answer.Rounds, now.count)
	}
	answer.Escalate = answer.Rounds > j.opts.Config.Settings.SelfCorrectionLimit
}
