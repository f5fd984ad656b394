package checking

import (
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/result"
)

// describe fills in what was changed.
func (ed *edition) describe(answer *result.Edit, summary string) {
	answer.Mode, answer.Summary = ed.mode, summary
	settings := ed.opts.Config.Settings
	answer.Caps = result.Caps{
		PerFile: settings.MaxDiagnosticsPerFile, OtherFiles: settings.MaxProjectDiagnosticsFiles, TotalLines: settings.MaxTotalLines,
	}
	for _, c := range ed.changes {
		changed := result.Edited{
			Path: ed.names.Relative(c.Path), Created: c.Created, Deleted: c.Deleted, Replacements: c.Replacements,
		}
		if c.From != "" {
			changed.From = ed.names.Relative(c.From)
		}
		changed.Added, changed.Removed = c.Lines()
		if !c.Deleted {
			changed.Hash = edit.Hash(c.After)
		}
		answer.Changes = append(answer.Changes, changed)
	}
	if !answer.Applied {
		answer.Diff = ed.plan.Diff(ed.names.Relative)
		answer.Summary = "Preview, nothing is written: " + summary
		if ed.mode == api.ApplyIfClean {
			answer.Summary = "Not applied, because it is not clean: " + summary
			if answer.Verdict != string(diagnostics.NewErrors) {
				answer.Summary = "Not applied, because it is not known to be clean: " + summary
			}
		}
	}
}
