package engine

import (
	"context"
	"slices"

	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
)

// usersOf asks servers that know these texts who uses what changes.
func (e *Engine) usersOf(ctx context.Context, plan *checkPlan, texts map[string][]byte, changes []impact.Change) ([]diagnostics.File, error) {
	ed := plan.edition
	bounded, cancel := e.searching(ctx)
	defer cancel()
	a := e.newAccess()
	defer a.close()
	reach, err := impact.Survey(bounded, symbols.New(formerly{access: a, texts: texts}), impact.Texts{}, changes)
	switch {
	case call.Canceled(ctx) != nil:
		return nil, ctx.Err()
	case err != nil:
		plan.unknown = append(plan.unknown, "the search for files that use what changed ended early")
	}
	plan.unknown = append(append(plan.unknown, reach.Unknown...), reach.Notes...)
	found := ed.dependants.choose(ed, slices.Concat(reach.Files(), reach.Possible(), ed.beside(reach.Mute)))
	ed.dependants.files = append(ed.dependants.files, found...)
	return found, nil
}

// formerly is access to servers that were shown former texts of some files.
type formerly struct {
	*access
	texts map[string][]byte
}

// Text implements [symbols.Access].
func (f formerly) Text(path string) ([]byte, error) {
	if text, former := f.texts[path]; former {
		return text, nil
	}
	return f.access.Text(path)
}

// Open implements [symbols.Access]: the server keeps the text that it was shown.
func (f formerly) Open(ctx context.Context, path, method string) (symbols.Server, error) {
	if _, former := f.texts[path]; !former {
		return f.access.Open(ctx, path, method)
	}
	for _, c := range f.workspace.Candidates(path) {
		if c.Unavailable != nil || c.Definition.Role != registry.Primary {
			continue
		}
		s, err := f.workspace.Server(ctx, c)
		if err != nil {
			return nil, err
		}
		if !offers(s, method) {
			return nil, &lsp.UnsupportedError{Server: c.Definition.ID, Method: method}
		}
		return remembering{s, f.outlines}, nil
	}
	return nil, &NoServerError{f.relative(path), method}
}
