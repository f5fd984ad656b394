package toolchain

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// Documentation returns what the documentation tool of a language, such as go doc, says about a
// name, or what a server shows on hover at a place. Source of the result says which of the two.
func (tc *Toolchain) Documentation(ctx context.Context, req api.DocumentationRequest) (result.Documentation, error) {
	if err := checkDocumentation(req); err != nil {
		return result.Documentation{}, err
	}
	return overlay.Ask(ctx, tc.view, req.Limits, headOfDocumentation, func(ctx context.Context, q *symbols.Inquiry) (result.Documentation, error) {
		result, err := tc.documentation(ctx, q, req.Selector)
		if err == nil && req.Format == "markdown" && result.Source != "hover" {
			result.Text = "```text\n" + result.Text + "\n```"
		}
		return result, err
	})
}

func headOfDocumentation(d *result.Documentation) *result.Head { return &d.Head }

func checkDocumentation(r api.DocumentationRequest) error {
	if r.Format != "" && r.Format != "text" && r.Format != "markdown" {
		return &api.ArgumentError{Argument: "format", Reason: fmt.Sprintf("%q is no format", r.Format), Advice: "formats are text and markdown"}
	}
	if r.Symbol != "" && !plainName.MatchString(r.Symbol) {
		return &api.ArgumentError{Argument: "symbol", Reason: fmt.Sprintf("%q is no name", r.Symbol), Advice: `for example "encoding/json.Decoder", or "json.dumps"`}
	}
	return nil
}

// plainName matches a name path in any language.
var plainName = lazyregexp.New(`^[/(*\pL_][\pL\pN_.:/#*()\[\]$~<>=+!-]*$`)

// toolTime limits a documentation tool, so that time is left for the server.
const toolTime = 10 * time.Second

// documentation queries the language's tool about a name that stands alone, or about what a
// selector resolves to. If no tool knows it, it queries the server.
func (tc *Toolchain) documentation(ctx context.Context, q *symbols.Inquiry, s api.Selector) (result.Documentation, error) {
	var tool error
	if s.Symbol != "" && s.Line == 0 && s.Language != "" {
		dir := tc.workspace.Root()
		if s.File != "" { // the name may belong to the file's folder
			path, err := tc.names.Resolve(s.File)
			if err != nil {
				return result.Documentation{}, err
			}
			dir = filepath.Dir(path)
		}
		result, err := tc.manual(ctx, s.Language, s.Symbol, dir)
		if err == nil || ctx.Err() != nil {
			return result, err
		}
		tool = err
	}
	t, err := q.Resolve(ctx, restate.Selector(s))
	if err != nil && language.Undocumented(language.ID(s.Language)) {
		return result.Documentation{}, &hoverOnlyError{err, s.Language}
	}
	if err != nil {
		var ran *roots.ToolError
		if errors.As(tool, &ran) { // the tool has looked beyond the workspace
			return result.Documentation{}, tool
		}
		return result.Documentation{}, err
	}
	answer, err := tc.manualOf(ctx, q, t)
	if err == nil || ctx.Err() != nil {
		return answer, err
	}
	hover, err := q.Hover(ctx, t)
	if err != nil {
		return result.Documentation{}, err
	}
	text := restate.WithoutFileLinks(strings.TrimSpace(hover.Text))
	if text == "" {
		text = "nothing is written about it"
	}
	answer = result.Documentation{Symbol: t.Name, Language: tc.languageOf(t.Path), Source: "hover", Text: text}
	switch {
	case language.Undocumented(language.ID(answer.Language)):
		answer.Notes = append(answer.Notes, answer.Language+" has no tool for documentation by name: hover is the way, and this is it")
	case tool != nil && language.ID(answer.Language) == language.Rust:
		answer.Notes = append(answer.Notes, "this is the server's hover: "+tool.Error())
	}
	return answer, nil
}

// A hoverOnlyError says that a name was not found, and that its language has no documentation tool
// to look it up with.
type hoverOnlyError struct {
	error
	language string
}

func (e *hoverOnlyError) Unwrap() error { return e.error }

// Hint says how to get documentation in such a language, and adds the hint of the wrapped error.
func (e *hoverOnlyError) Hint() string {
	text := e.language + " has no tool for documentation by name: hover is the way; name a place in a file where it is used"
	var hinted interface{ Hint() string }
	if errors.As(e.error, &hinted) {
		text += "\n" + hinted.Hint()
	}
	return text
}

// languageOf returns the LSP language ID of a file, "" if no server handles the file.
func (tc *Toolchain) languageOf(path string) string {
	for _, d := range tc.servers {
		if id, ok := d.LanguageID(path); ok {
			return id
		}
	}
	return ""
}

// manualOf queries the documentation tool about the declaration of a target, in the folder of that
// declaration.
func (tc *Toolchain) manualOf(ctx context.Context, q *symbols.Inquiry, t symbols.Target) (result.Documentation, error) {
	id := tc.languageOf(t.Path)
	if !language.Manuals[language.ID(id)].Here {
		return result.Documentation{}, &lsp.UnsupportedError{Server: id, Method: "documentation"}
	}
	places, err := q.Places(ctx, symbols.Definition, t)
	if err != nil || len(places) == 0 {
		return result.Documentation{}, &symbols.NotFoundError{Selector: t.Name, Where: "its definition"}
	}
	o, err := q.Outline(ctx, places[0].Path)
	if err != nil {
		return result.Documentation{}, err
	}
	s := o.Declared(places[0].Range.Start)
	if s == nil { // a local name, which no tool documents
		return result.Documentation{}, &symbols.NotFoundError{Selector: t.Name, Where: tc.names.Relative(places[0].Path)}
	}
	return tc.manual(ctx, id, strings.Join(s.Path, "."), filepath.Dir(places[0].Path))
}

// manual queries the documentation tool of a language about a name. Tools that depend on their
// working directory run in dir.
func (tc *Toolchain) manual(ctx context.Context, id, name, dir string) (result.Documentation, error) {
	if language.ID(id) == language.Rust {
		return tc.cargoDoc(ctx, name, dir)
	}
	m, known := language.Manuals[language.ID(id)]
	if !known {
		return result.Documentation{}, &lsp.UnsupportedError{Server: id, Method: "documentation"}
	}
	if !m.Names.MatchString(name) || strings.Contains(name, "..") {
		return result.Documentation{}, &api.ArgumentError{Argument: "symbol", Reason: fmt.Sprintf("%q is no name of %s", name, id), Advice: `for example "encoding/json.Decoder", or "json.dumps"`}
	}
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	tool := roots.Tool{Name: m.Command[0], Args: append(slices.Clone(m.Command[1:]), name), Env: m.Env}
	if m.Here {
		tool.Dir = dir
	}
	output, err := tc.workspace.RunTool(ctx, tool)
	text := strings.TrimSpace(string(output))
	if err == nil && (text == "" || m.Absent != "" && strings.HasPrefix(text, m.Absent)) {
		err = &roots.ToolError{Tool: tool.String(), Reason: "it knows no " + name}
	}
	if err != nil {
		return result.Documentation{}, err
	}
	return result.Documentation{Symbol: name, Language: id, Source: tool.String(), Signature: signatureIn(text), Text: text}, nil
}

// signatureIn returns the first line of text that is a declaration, "" if there is none.
func signatureIn(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "package ") && !strings.HasPrefix(line, "Help on ") {
			return line
		}
	}
	return ""
}
