package engine

import (
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/render"
)

// describe fills in what was changed.
func (ed *edition) describe(result *render.Edit, summary string) {
	result.Mode, result.Summary = ed.mode, summary
	settings := ed.opts.Config.Settings
	result.Caps = render.Caps{
		PerFile: settings.MaxDiagnosticsPerFile, OtherFiles: settings.MaxProjectDiagnosticsFiles, TotalLines: settings.MaxTotalLines,
	}
	for _, c := range ed.changes {
		changed := render.Edited{
			Path: ed.relative(c.Path), Created: c.Created, Deleted: c.Deleted, Replacements: c.Replacements,
		}
		if c.From != "" {
			changed.From = ed.relative(c.From)
		}
		changed.Added, changed.Removed = c.Lines()
		if !c.Deleted {
			changed.Hash = edit.Hash(c.After)
		}
		result.Changes = append(result.Changes, changed)
	}
	if !result.Applied {
		result.Diff = ed.plan.Diff(ed.relative)
		result.Summary = "Preview, nothing is written: " + summary
		if ed.mode == modeIfClean {
			result.Summary = "Not applied, because it is not clean: " + summary
			if result.Verdict != string(diagnostics.NewErrors) {
				result.Summary = "Not applied, because it is not known to be clean: " + summary
			}
		}
	}
}
