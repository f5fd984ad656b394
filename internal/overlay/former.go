package overlay

import (
	"context"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
)

// Formerly returns access for questions about earlier texts of some files, by path, which the
// servers are being shown.
func (a *Access) Formerly(texts map[string][]byte) symbols.Access { return formerly{a, texts} }

// formerly is access to servers that were shown former texts of some files.
type formerly struct {
	*Access
	former map[string][]byte
}

// Text implements [symbols.Access].
func (f formerly) Text(path string) ([]byte, error) {
	if text, former := f.former[path]; former {
		return text, nil
	}
	return f.Access.Text(path)
}

// Open implements [symbols.Access]: the server keeps the text that it was shown.
func (f formerly) Open(ctx context.Context, path, method string) (symbols.Server, error) {
	if _, former := f.former[path]; !former {
		return f.Access.Open(ctx, path, method)
	}
	for _, c := range f.texts.opts.Workspace.Candidates(path) {
		if c.Unavailable != nil || c.Definition.Role != registry.Primary {
			continue
		}
		s, err := f.texts.opts.Workspace.Server(ctx, c)
		if err != nil {
			return nil, err
		}
		if !Offers(s, method) {
			return nil, &lsp.UnsupportedError{Server: c.Definition.ID, Method: method}
		}
		return remembering{s, f.texts.outlines}, nil
	}
	return nil, &NoServerError{f.names.Relative(path), method}
}
