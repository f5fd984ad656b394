package editing

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/symbols"
)

// A scope is the part of a file that actions are asked for.
type scope struct {
	path  string
	r     protocol.Range
	whole bool
	found []diagnostics.Diagnostic // of the lines of r, or those that were named
}

// lineOnly is a selector of a line: for actions it means the line, not what it
// declares.
var lineOnly = lazyregexp.New(`^(.+):(\d+)$`)

// scopeOf resolves what a request names.
func (e *Editor) scopeOf(ctx context.Context, q *symbols.Inquiry, req api.FixesRequest) (scope, error) {
	s := req.Selector
	if m := lineOnly.FindStringSubmatch(strings.TrimSpace(s.At)); m != nil && !lineOnly.MatchString(m[1]) {
		if n, err := strconv.Atoi(m[2]); err == nil && n > 0 {
			s.At, s.File, s.Line = "", m[1], api.OneBased(n)
		}
	}
	ranged := api.Area{File: s.File, StartLine: req.StartLine, StartColumn: req.StartColumn, EndLine: req.EndLine, EndColumn: req.EndColumn}
	switch {
	case s.At != "" || s.Symbol != "" || s.Pattern != "" || s.Column > 0:
		if ranged != (api.Area{File: s.File}) {
			return scope{}, &api.ArgumentError{Argument: "start_line", Reason: "a range goes without a symbol", Advice: "give file with start_line and end_line, or the symbol"}
		}
		t, err := restate.Target(ctx, e.names, q, s)
		return scope{path: t.Path, r: protocol.Range{Start: t.At, End: t.At}}, err
	case s.Line > 0 && ranged.StartLine == 0: // a line is a range, too
		ranged.StartLine, ranged.EndLine = s.Line, cmp.Or(ranged.EndLine, s.Line)
	}
	place, _, err := restate.Area(e.names, q, ranged)
	return scope{path: place.Path, r: place.Range, whole: ranged == api.Area{File: s.File}}, err
}

// findings fills in the diagnostics of a scope as they are now.
func (e *Editor) findings(ctx context.Context, a *overlay.Access, req api.FixesRequest, s *scope) error {
	content, err := a.Text(s.path)
	if err != nil {
		return err
	}
	there, err := e.diagnose(ctx, s.path, content, api.Milliseconds(req.TimeoutMS))
	if err != nil {
		return err
	}
	for _, d := range there {
		switch {
		case req.Diagnostic != "" && !named(d, req.Diagnostic):
		case req.Diagnostic == "" && (d.Range.End.Line < s.r.Start.Line || d.Range.Start.Line > s.r.End.Line):
		default:
			s.found = append(s.found, d)
		}
	}
	if req.Diagnostic != "" && len(s.found) == 0 {
		return e.noDiagnostic(s.path, req.Diagnostic, there)
	}
	return nil
}

// named reports whether a request means a diagnostic: by its 1-based line, its
// code or a part of its message.
func named(d diagnostics.Diagnostic, by string) bool {
	if n, err := strconv.Atoi(by); err == nil && d.Range.Start.Line+1 == uint32(n) {
		return true
	}
	return d.Code == by || strings.Contains(strings.ToLower(d.Message), strings.ToLower(by))
}

func (e *Editor) noDiagnostic(path, by string, there []diagnostics.Diagnostic) error {
	const most = 10
	advice := "the file has no diagnostics"
	if len(there) > 0 {
		advice = "the file has:"
		for _, d := range there[:min(most, len(there))] {
			advice += fmt.Sprintf("\n  %d:%d %s", d.Range.Start.Line+1, d.Range.Start.Character+1, d.Message)
		}
	}
	return &api.ArgumentError{Argument: "diagnostic", Reason: fmt.Sprintf("no diagnostic of %s is meant by %q", e.names.Relative(path), by), Advice: advice}
}

// maxDiagnosed limits the diagnostics for which actions are requested.
const maxDiagnosed = 24

// codeActions asks every server of the file for its code actions: for each diagnostic by
// itself, since several servers look only at what they are told, and then for the
// range.
func (e *Editor) codeActions(ctx context.Context, a *overlay.Access, q *symbols.Inquiry, req api.FixesRequest) (actionList, error) {
	s, err := e.scopeOf(ctx, q, req)
	if err != nil {
		return actionList{}, err
	}
	servers, failures := a.Servers(ctx, s.path, "textDocument/codeAction")
	if len(servers) == 0 {
		return actionList{}, overlay.MostTelling(failures)
	}
	if err := e.findings(ctx, a, req, &s); err != nil {
		return actionList{}, err
	}
	o := actionList{scope: s}
	for _, server := range servers {
		err := o.gather(ctx, q, server, req)
		if err != nil && len(servers) == 1 {
			return actionList{}, err
		}
		if err != nil {
			failures = append(failures, err)
		}
	}
	for _, err := range failures {
		o.notes = append(o.notes, err.Error())
	}
	if s.whole && len(req.Only) == 0 {
		o.enabled()
	}
	slices.SortStableFunc(o.list, func(a, b codeAction) int { return cmp.Compare(a.rank(), b.rank()) })
	return o, nil
}

const quickfix = "quickfix"

// gather adds the code actions of one server.
func (o *actionList) gather(ctx context.Context, q *symbols.Inquiry, server symbols.Server, req api.FixesRequest) error {
	fixing, tidying := only(req.Only)
	asked := 0
	for _, d := range o.found {
		if d.Server != server.Definition().ID || fixing == nil {
			continue
		}
		if asked++; asked > maxDiagnosed {
			o.notes = append(o.notes, fmt.Sprintf("only the first %d diagnostics are asked about; name a line or a diagnostic", maxDiagnosed))
			break
		}
		about := []protocol.Diagnostic{d.Diagnostic}
		actions, err := q.Actions(ctx, server, o.path, d.Range, about, fixing)
		if err != nil {
			return err
		}
		for _, action := range actions {
			if action.Kind == "" || wantedKind(action.Kind, fixing) {
				o.add(codeAction{server, action, append(about[:1:1], others(action, d.Diagnostic)...)})
			}
		}
	}
	if req.Diagnostic != "" {
		return nil
	}
	for _, kinds := range tidying {
		actions, err := q.Actions(ctx, server, o.path, o.r, nil, kinds)
		if err != nil {
			return err
		}
		for _, action := range actions {
			if len(kinds) > 0 && !wantedKind(action.Kind, kinds) || len(kinds) == 0 && !o.whole && within(action.Kind, "source") {
				continue
			}
			o.add(codeAction{server, action, action.Diagnostics})
		}
	}
	return nil
}

// only divides the kinds that are wanted: those to ask for with each diagnostic,
// and lists of those to ask for with the range, an empty one for all. Without any,
// source is asked for by name too, as some servers give it only so.
func only(kinds []string) (fixing []string, tidying [][]string) {
	if len(kinds) == 0 {
		return []string{quickfix}, [][]string{nil, {"source"}}
	}
	var rest []string
	for _, kind := range kinds {
		if within(kind, quickfix) {
			fixing = append(fixing, kind)
		} else {
			rest = append(rest, kind)
		}
	}
	if len(rest) > 0 {
		tidying = [][]string{rest}
	}
	return fixing, tidying
}

// enabled leaves out what cannot be applied: over a whole file that says nothing.
func (o *actionList) enabled() {
	before := len(o.list)
	o.list = slices.DeleteFunc(o.list, func(known codeAction) bool { return known.action.Disabled != "" })
	if left := before - len(o.list); left > 0 {
		o.notes = append(o.notes, several(left, "action")+" left out that need a place in the file; name a line or a symbol")
	}
}

// within reports whether a kind is another or below it, as they are dotted.
func within(kind, parent string) bool {
	return kind == parent || strings.HasPrefix(kind, parent+".")
}

func wantedKind(kind string, wanted []string) bool {
	return slices.ContainsFunc(wanted, func(w string) bool { return within(kind, w) })
}

// others returns what an action fixes beside the diagnostic it was asked for with.
func others(action protocol.CodeAction, asked protocol.Diagnostic) (more []protocol.Diagnostic) {
	for _, d := range action.Diagnostics {
		if d.Range != asked.Range || d.Message != asked.Message {
			more = append(more, d)
		}
	}
	return more
}

// add takes a code action, or the diagnostics that it fixes if the same is there.
func (o *actionList) add(more codeAction) {
	for i := range o.list {
		if known := &o.list[i]; known.same(more) {
			for _, d := range more.fixes {
				if len(others(protocol.CodeAction{Diagnostics: known.fixes}, d)) == len(known.fixes) {
					known.fixes = append(known.fixes, d)
				}
			}
			return
		}
	}
	o.list = append(o.list, more)
}

// same reports whether two code actions would do the same. Servers repeat the diagnostic
// in an action, so what came is not compared as a whole.
func (o *codeAction) same(other codeAction) bool {
	a, b := o.action, other.action
	if o.server != other.server || a.Title != b.Title || a.Kind != b.Kind || !bytes.Equal(a.Edit, b.Edit) || !bytes.Equal(a.Data, b.Data) {
		return false
	}
	if a.Command == nil || b.Command == nil {
		return a.Command == b.Command
	}
	return a.Command.Command == b.Command.Command && slices.EqualFunc(a.Command.Arguments, b.Command.Arguments,
		func(x, y json.RawMessage) bool { return bytes.Equal(x, y) })
}
