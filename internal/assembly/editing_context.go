package assembly

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// EditingContext returns what to know before editing a file: what it declares and imports, who uses
// it, and what it calls in other files.
func (a *Assembler) EditingContext(ctx context.Context, req api.EditingContextRequest) (result.EditingContext, error) {
	if req.File == "" {
		return result.EditingContext{}, &api.ArgumentError{Argument: "file", Reason: "it is missing", Advice: `for example "src/a.go"`}
	}
	return overlay.Ask(ctx, a.view, req.Limits, headOfEditingContext, func(ctx context.Context, q *symbols.Inquiry) (result.EditingContext, error) {
		answer, content, err := a.editingContext(ctx, q, req.File)
		if err != nil {
			return result.EditingContext{}, err
		}
		answer.ETag = etag(content, &answer)
		if req.IfNoneMatch == answer.ETag {
			return result.EditingContext{Path: answer.Path, ETag: answer.ETag, NotModified: true}, nil
		}
		return answer, nil
	})
}

func headOfEditingContext(e *result.EditingContext) *result.Head { return &e.Head }

// etag returns a hash of a text and of everything reported about it, regardless of the budget of
// the answer.
func etag(content []byte, result *result.EditingContext) string {
	h := sha256.New()
	_, _ = h.Write(content)
	_ = json.NewEncoder(h).Encode(result) // neither writing to a hash nor encoding this result can fail
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Limits of an editing context: users or callees of one symbol, and functions whose callees are
// asked for.
const (
	maxOthers    = 20
	maxFunctions = 60
)

func (a *Assembler) editingContext(ctx context.Context, q *symbols.Inquiry, name string) (result.EditingContext, []byte, error) {
	o, text, err := a.outlined(ctx, q, name)
	if err != nil {
		return result.EditingContext{}, nil, err
	}
	declared, _ := o.Declarations()
	result := result.EditingContext{Path: a.names.Relative(o.Path), Symbols: restate.Symbols(declared, 0, ""), Imports: imports(text.Content())}
	var subjects []impact.Subject
	for _, s := range impact.Exported(o, text) {
		subjects = append(subjects, impact.SubjectOf(o.Path, s))
	}
	report := impact.Analyse(ctx, q, subjects, impact.Options{Relative: a.names.FromBase})
	result.Notes = report.Notes
	for i := range report.Effects {
		f := &report.Effects[i]
		if f.Err != nil {
			result.Notes = append(result.Notes, "who uses "+f.Name+" is not known: "+reasonOf(f.Err))
			continue
		}
		elsewhere := slices.DeleteFunc(slices.Concat(f.Users, f.TestUsers), func(u impact.User) bool { return u.Place.Path == o.Path })
		result.Callers = appendUsage(result.Callers, f.Name, a.users(elsewhere))
	}
	callees, notes := a.callees(ctx, q, o, text)
	result.Callees, result.Notes = callees, append(result.Notes, notes...)
	return result, text.Content(), nil
}

func appendUsage(list []result.Usage, name string, others []result.User) []result.Usage {
	if len(others) == 0 {
		return list
	}
	u := result.Usage{Symbol: name, Others: others[:min(len(others), maxOthers)]}
	u.More = len(others) - len(u.Others)
	return append(list, u)
}

// imports returns the lines that import names, including those of a block in brackets.
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
func (a *Assembler) callees(ctx context.Context, q *symbols.Inquiry, o *symbols.Outline, text *protocol.Mapper) (usages []result.Usage, notes []string) {
	functions := slices.DeleteFunc(impact.Declared(o, text), func(s *symbols.Symbol) bool { return s.Kind != "function" && s.Kind != "method" })
	if len(functions) > maxFunctions {
		functions = functions[:maxFunctions]
		notes = append(notes, "the callees are those of the first functions only")
	}
	called := make([][]result.User, len(functions))
	failures := make([]error, len(functions))
	slots := make(chan struct{}, 4)
	var all guard.Group
	for i, f := range functions {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			called[i], failures[i] = a.calledBy(ctx, q, impact.SubjectOf(o.Path, f))
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

func (a *Assembler) calledBy(ctx context.Context, q *symbols.Inquiry, f impact.Subject) ([]result.User, error) {
	h, err := q.Hierarchy(ctx, f.Target, symbols.Callees, 1)
	if err != nil {
		return nil, err
	}
	var list []result.User
	for _, root := range h.Roots {
		for _, n := range root.Children {
			if n.Place.Path != f.Place.Path && a.workspace.Contains(n.Place.Path) {
				list = append(list, result.User{Name: n.Name, Path: a.names.Relative(n.Place.Path), Line: n.Place.Range.Start.Line + 1})
			}
		}
	}
	return list, nil
}
