package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/symbols"
)

// An EditingContextRequest asks what one must know before editing a file.
type EditingContextRequest struct {
	File        string `json:"file" jsonschema:"path"`
	IfNoneMatch string `json:"if_none_match,omitempty" jsonschema:"etag of an earlier answer: not modified is the answer if nothing changed"`
	Limits
}

// EditingContextResult is the surroundings of a file.
type EditingContextResult = render.EditingContext

// EditingContext tells what a file imports, declares and calls, and who uses it.
var EditingContext = Op[EditingContextRequest, EditingContextResult]{
	Name:  "editing_context",
	Title: "Editing context",
	Doc:   "What to know before editing a file: imports, symbols, callers and callees, with an etag.",
	Class: Read,
	run: func(ctx context.Context, e *Engine, req EditingContextRequest) (EditingContextResult, error) {
		if req.File == "" {
			return EditingContextResult{}, &ArgumentError{"file", "it is missing", `for example "src/a.go"`}
		}
		return ask(ctx, e, req.Limits, headOfEditingContext, func(ctx context.Context, q *symbols.Inquiry) (EditingContextResult, error) {
			result, content, err := e.editingContext(ctx, q, req.File)
			if err != nil {
				return EditingContextResult{}, err
			}
			result.ETag = etag(content, &result)
			if req.IfNoneMatch == result.ETag {
				return EditingContextResult{Path: result.Path, ETag: result.ETag, NotModified: true}, nil
			}
			return result, nil
		})
	},
}

func headOfEditingContext(e *render.EditingContext) *render.Head { return &e.Head }

// etag names a text and everything that is said about it. Nothing of the budget
// is in it.
func etag(content []byte, result *EditingContextResult) string {
	h := sha256.New()
	_, _ = h.Write(content)
	_ = json.NewEncoder(h).Encode(result) // a hash never fails, nor does a result of ours
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Bounds of an editing context: users or callees of one symbol, and functions
// whose callees are asked for.
const (
	maxOthers    = 20
	maxFunctions = 60
)

func (e *Engine) editingContext(ctx context.Context, q *symbols.Inquiry, name string) (EditingContextResult, []byte, error) {
	o, text, err := e.outlined(ctx, q, name)
	if err != nil {
		return EditingContextResult{}, nil, err
	}
	declared, _ := o.Declarations()
	result := EditingContextResult{Path: e.relative(o.Path), Symbols: tree(declared, 0, ""), Imports: imports(text.Content())}
	var subjects []impact.Subject
	for _, s := range impact.Exported(o, text) {
		subjects = append(subjects, impact.SubjectOf(o.Path, s))
	}
	report := impact.Analyse(ctx, q, subjects, impact.Options{Relative: e.fromBase})
	result.Notes = report.Notes
	for i := range report.Effects {
		f := &report.Effects[i]
		if f.Err != nil {
			result.Notes = append(result.Notes, "who uses "+f.Name+" is not known: "+reasonOf(f.Err))
			continue
		}
		elsewhere := slices.DeleteFunc(slices.Concat(f.Users, f.TestUsers), func(u impact.User) bool { return u.Place.Path == o.Path })
		result.Callers = appendUsage(result.Callers, f.Name, e.users(elsewhere))
	}
	callees, notes := e.callees(ctx, q, o, text)
	result.Callees, result.Notes = callees, append(result.Notes, notes...)
	return result, text.Content(), nil
}

func appendUsage(list []render.Usage, name string, others []render.User) []render.Usage {
	if len(others) == 0 {
		return list
	}
	u := render.Usage{Symbol: name, Others: others[:min(len(others), maxOthers)]}
	u.More = len(others) - len(u.Others)
	return append(list, u)
}

// imports returns the lines that bring names from elsewhere, those of a block in
// brackets with it.
func imports(content []byte) []string {
	var found []string
	closing := ""
	for line := range strings.Lines(string(content)) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case closing != "":
			if trimmed != "" {
				found = append(found, line)
			}
			if strings.HasPrefix(trimmed, closing) || strings.HasSuffix(trimmed, closing) {
				closing = ""
			}
		case impact.IsImport(line):
			found = append(found, line)
			for open, end := range map[string]string{"(": ")", "{": "}"} {
				if strings.HasSuffix(trimmed, open) {
					closing = end
				}
			}
		}
	}
	return found
}

// callees returns what the functions of a file call in other files of the
// workspace, in the order of the file.
func (e *Engine) callees(ctx context.Context, q *symbols.Inquiry, o *symbols.Outline, text *protocol.Mapper) (usages []render.Usage, notes []string) {
	functions := slices.DeleteFunc(impact.Declared(o, text), func(s *symbols.Symbol) bool { return s.Kind != "function" && s.Kind != "method" })
	if len(functions) > maxFunctions {
		functions = functions[:maxFunctions]
		notes = append(notes, "the callees are those of the first functions only")
	}
	called := make([][]render.User, len(functions))
	failures := make([]error, len(functions))
	slots := make(chan struct{}, 4)
	var all guard.Group
	for i, f := range functions {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			called[i], failures[i] = e.calledBy(ctx, q, impact.SubjectOf(o.Path, f))
		})
	}
	all.Wait()
	for i, f := range functions {
		name := strings.Join(f.Path, ".")
		if failures[i] != nil {
			notes = append(notes, "what "+name+" calls is not known: "+reasonOf(failures[i]))
		}
		usages = appendUsage(usages, name, called[i])
	}
	return usages, notes
}

func (e *Engine) calledBy(ctx context.Context, q *symbols.Inquiry, f impact.Subject) ([]render.User, error) {
	h, err := q.Hierarchy(ctx, f.Target, symbols.Callees, 1)
	if err != nil {
		return nil, err
	}
	var list []render.User
	for _, root := range h.Roots {
		for _, n := range root.Children {
			if n.Place.Path != f.Place.Path && e.workspace.Contains(n.Place.Path) {
				list = append(list, render.User{Name: n.Name, Path: e.relative(n.Place.Path), Line: n.Place.Range.Start.Line + 1})
			}
		}
	}
	return list, nil
}
