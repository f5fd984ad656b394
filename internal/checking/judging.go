package checking

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// own returns the changed files that a server can judge, with the text from
// before or after the change.
func (ed *edition) own(after, saved bool) (files []diagnostics.File, results []result.File) {
	for _, c := range ed.changes {
		path, content := c.Path, c.After
		if !after {
			content = c.Before
			if c.From != "" {
				path = c.From
			}
		}
		if c.Deleted && after || c.Created && !after {
			continue
		}
		f := diagnostics.File{
			Path: path, Content: content, Created: after && (c.Created || c.From != ""), Saved: saved, Narrow: ed.inParts(path),
		}
		if after {
			f.From = c.From // its older errors come along
		}
		err := ed.workspace.Diagnosable(path, content)
		ed.sources(&f)
		switch {
		case len(f.Sources)+len(f.Failures) == 0: // no server knows it, and none need
		case err != nil:
			results = append(results, result.File{Path: ed.names.Relative(path), Diagnostics: []result.Diagnostic{}, Error: restate.Problem(err)})
		default:
			files = append(files, f)
		}
	}
	return files, results
}

// judge shows the servers the changed texts and reports what is new in them, and
// in others.
func (ed *edition) judge(ctx context.Context, saved bool) (result.Edit, error) {
	if slices.ContainsFunc(ed.paths(), func(path string) bool { return !ed.rewrites(path) || ed.workspace.IsMarker(path) }) {
		ed.detection = ed.workspace.Detection() // what is there now may bring servers, or take some away
	}
	began := time.Now()
	own, results := ed.own(true, saved)
	answer := result.Edit{Files: results}
	if answer.Files == nil {
		answer.Files = []result.File{}
	}
	witnesses, later := ed.witnesses(ctx, own)
	sure := append(ed.belonging(ctx), witnesses...)
	ed.forgetLeft()
	var paths []string
	for _, f := range own {
		paths = append(paths, f.Path)
	}
	detection := ed.detection
	notes := guard.Begin(func() []string { // beside the servers' work
		return append(ed.members.notes(paths), ed.caveats(detection, paths)...)
	})
	report, err := ed.collector.Check(ctx, diagnostics.Request{
		Files: append(slices.Clip(own), sure...), Since: ed.since, OthersToo: true, Apart: apart(ed.changes, append(slices.Clip(own), sure...)),
		Severities: ed.severities, Timeout: ed.timeout, FirstTouch: ed.timeout, Follow: ed.patience.left(), Renamed: ed.renamed(),
	})
	answer.Notes = notes() // waited for in any case: a detection is for one user at a time
	if err != nil {
		return answer, err
	}
	others := append(slices.Clip(report.Files[len(own):]), report.Others...)
	rest, late, err := ed.rest(ctx, began, append(slices.Clip(own), later...))
	if err != nil {
		return answer, err
	}
	others, report.Late = append(others, rest...), append(report.Late, late...)
	reached := ed.dependants // it may be judged again
	more, err := ed.inferred(ctx, &reached)
	if err != nil {
		return answer, err
	}
	if len(more) > 0 {
		further, err := ed.collector.Check(ctx, diagnostics.Request{
			Files: more, Since: ed.since, Apart: apart(ed.changes, slices.Concat(own, sure, more)), Severities: ed.severities, Timeout: ed.timeout, FirstTouch: ed.timeout, Follow: ed.patience.left(), Renamed: ed.renamed(),
		})
		if err != nil {
			return answer, err
		}
		others, report.Late = append(others, further.Files...), append(report.Late, further.Late...)
	}
	answer.Dependants = reached.counted(ed, len(reached.files)+len(more))
	ed.late = append(ed.late, report.Late...)
	ed.fill(&answer, report.Files[:len(own)], others)
	return answer, nil
}

// fill puts the reports into the result: of each what is new.
func (ed *edition) fill(answer *result.Edit, own, others []diagnostics.FileReport) {
	ed.older = make(map[string][]result.Diagnostic)
	caveats := answer.Notes
	answer.Notes = nil
	var judgement diagnostics.Judgement
	for i := range own {
		answer.Files = append(answer.Files, ed.presentNew(&own[i]))
		judgement = judgement.And(own[i].Judgement)
		if own[i].Baseline == diagnostics.None && len(own[i].New) > 0 && !ed.creates(own[i].Path) {
			answer.Notes = append(answer.Notes, "what was wrong in "+ed.names.Relative(own[i].Path)+" before the edit is not known: all of it counts as new")
		}
	}
	slices.SortStableFunc(others, func(a, b diagnostics.FileReport) int { return strings.Compare(a.Path, b.Path) })
	others = slices.CompactFunc(others, func(a, b diagnostics.FileReport) bool { return a.Path == b.Path })
	answer.Notes = append(answer.Notes, notesOf(answer.Files)...)
	var silent []string
	judged := false // some server that was asked about others
	for i := range others {
		o := &others[i]
		if slices.ContainsFunc(ed.changes, func(c edit.Change) bool { return c.From == o.Path }) {
			continue // what was wrong there has moved with the file
		}
		if o.Apart() {
			continue
		}
		judged = judged || o.Judgement.Reached
		comparable := len(o.New) == 0 || o.Baseline != diagnostics.None // else what is wrong may be old
		if comparable && len(o.New)+len(o.Fixed) > 0 {
			answer.Others = append(answer.Others, ed.presentNew(o))
			judgement = judgement.And(o.Judgement)
		}
		if !comparable || o.Judgement.Lacking || !o.Judgement.Reached {
			silent = append(silent, ed.names.Relative(o.Path))
		}
	}
	answer.Notes = append(answer.Notes, caveats...)
	answer.Unknown = append(slices.Clone(ed.unknown), ed.besides(own)...)
	if left := ed.leftOut(own); left != "" {
		answer.Unknown = append(answer.Unknown, left)
	}
	if len(silent) > 0 {
		answer.Unknown = append(answer.Unknown, "what the edit did to files that use what changed, as they could not be judged: "+workspace.FirstOf(silent))
	}
	for i := range ed.late {
		answer.Late = append(answer.Late, ed.presentNew(&ed.late[i]))
	}
	failed := slices.ContainsFunc(answer.Files, func(f result.File) bool { return f.Error != nil })
	lacking := failed || ed.cut || len(answer.Unknown)+len(answer.Dependants.Unchecked) > 0
	if len(answer.Files)+len(answer.Others) > 0 || lacking || judged {
		answer.Verdict = string(judgement.And(diagnostics.Judgement{Reached: lacking || judged, Lacking: lacking}).Verdict())
	}
}

// notesOf returns what servers had to be noted for, each once.
func notesOf(files []result.File) (notes []string) {
	for _, f := range files {
		for _, a := range f.Servers {
			for _, note := range a.Notes() {
				if !slices.Contains(notes, note) {
					notes = append(notes, note)
				}
			}
		}
	}
	return notes
}

// creates reports whether the edition makes a new file at path.
func (ed *edition) creates(path string) bool {
	return slices.ContainsFunc(ed.changes, func(c edit.Change) bool { return c.Created && c.Path == path })
}

// presentNew restates a report without what was there before.
func (ed *edition) presentNew(r *diagnostics.FileReport) result.File {
	f := restate.File(ed.names, r, func(string) *protocol.Mapper { return nil })
	f.Path = ed.names.Relative(r.Path)
	unseen := []result.Diagnostic{}
	for _, d := range f.Diagnostics {
		if d.New {
			unseen = append(unseen, d)
			continue
		}
		if d.Standing {
			f.Standing++
		} else {
			f.Older++
		}
		ed.older[f.Path] = append(ed.older[f.Path], d)
	}
	f.Diagnostics = unseen
	return f
}

var codeWord = regexp.MustCompile(`[\pL_$][\pL\pN_$]*`)

// renamed returns the words that the changes took out of the code where they brought
// in as many others, on the same lines: what a rename does, and nothing else.
func (ed *edition) renamed() map[string]bool {
	words := make(map[string]bool)
	for _, c := range ed.changes {
		before, after := strings.Split(string(c.Before), "\n"), strings.Split(string(c.After), "\n")
		if len(before) != len(after) {
			continue
		}
		for i := range before {
			if before[i] == after[i] {
				continue
			}
			old, now := codeWord.FindAllString(before[i], -1), codeWord.FindAllString(after[i], -1)
			for n := 0; len(old) == len(now) && n < len(old); n++ {
				if old[n] != now[n] {
					words[old[n]], words[now[n]] = true, true
				}
			}
		}
	}
	return words
}

// A showing is a document of a server before an overlay.
type showing struct {
	server *lsp.Server
	path   string
	text   []byte
	open   bool
}

// show notes how the changed documents stand in each running server.
func (ed *edition) show() (shown []showing) {
	for _, s := range ed.workspace.Running() {
		for _, path := range ed.paths() {
			_, text, open := s.Document(path)
			shown = append(shown, showing{s, path, text, open})
		}
	}
	return shown
}

// paths are those that the edition changes, the former ones of renamed files included.
func (ed *edition) paths() (paths []string) {
	for _, c := range ed.changes {
		if paths = append(paths, c.Path); c.From != "" {
			paths = append(paths, c.From)
		}
	}
	return paths
}

// vacate makes the servers see next to nothing where a preview takes files away, so that
// what a renamed file declares is not there twice.
func (ed *edition) vacate() error {
	var failures []error
	for _, c := range ed.changes {
		path := cmp.Or(c.From, c.Path)
		if !c.Deleted && c.From == "" {
			continue
		}
		for _, s := range ed.workspace.Running() {
			if slices.ContainsFunc(ed.detection.Candidates(path), func(candidate workspace.Candidate) bool {
				return candidate.Key() == workspace.Key{ID: s.Definition().ID, Root: s.Root()}
			}) {
				_, err := s.Sync(path, vacated(path, c.Before))
				failures = append(failures, err)
			}
		}
	}
	return errors.Join(failures...)
}

var packageClause = regexp.MustCompile(`(?m)^package[ \t]+\w+`)

// vacated returns the least that a file may hold without being wrong: nothing or, in Go,
// its package clause.
func vacated(path string, text []byte) []byte {
	if filepath.Ext(path) == ".go" {
		return append(slices.Clone(packageClause.Find(text)), '\n')
	}
	return nil
}

// restore takes an overlay back, and makes the servers judge again what it
// concerned: nobody is to be told of errors that are not there.
func (ed *edition) restore(ctx context.Context, shown []showing, result *result.Edit) error {
	ctx = context.WithoutCancel(ctx)
	was := make(map[string]showing)
	for _, s := range shown {
		was[s.server.Root()+"\x00"+s.server.Definition().ID+"\x00"+s.path] = s
	}
	var failures []error
	for _, server := range ed.workspace.Running() {
		for _, path := range ed.paths() {
			old := was[server.Root()+"\x00"+server.Definition().ID+"\x00"+path]
			var err error
			if old.open && old.server == server {
				_, err = server.Sync(path, old.text)
			} else {
				_, err = server.CloseDocument(path)
			}
			failures = append(failures, err)
		}
	}
	if ed.trial {
		ed.look(ctx)
	}
	for _, c := range ed.changes {
		if c.Created {
			ed.collector.Forget(c.Path)
		}
	}
	ed.detection = ed.workspace.Detection()
	again, _ := ed.own(false, false)
	for _, o := range result.Others {
		path, err := ed.workspace.Resolve(ed.names.Base(), o.Path)
		if err != nil {
			continue
		}
		if f, ok := ed.dependant(path); ok {
			again = append(again, f)
		}
	}
	most := ed.opts.Config.Settings.DiagnosticTimeout // a caller who named a later deadline may be gone
	_, err := ed.collector.Check(ctx, diagnostics.Request{
		Files: again, OthersToo: true, NoBaseline: true, Probe: true, Timeout: min(most, call.Left(ctx, most)),
	})
	return errors.Join(append(failures, err)...)
}

// inferred returns the dependants that are concerned because a function turned
// out to have another type.
func (ed *edition) inferred(ctx context.Context, reached *dependants) ([]diagnostics.File, error) {
	if reached.reach == nil {
		return nil, nil
	}
	a := ed.view.Access()
	defer a.Close()
	paths := reached.reach.Inferred(ctx, symbols.New(overlaid{a, ed}))
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return nil, err
	}
	return reached.choose(ed, paths), nil
}

// overlaid is access to the files as the edition makes them.
type overlaid struct {
	*overlay.Access
	ed *edition
}

// Text implements [symbols.Access].
func (o overlaid) Text(path string) ([]byte, error) {
	for _, c := range o.ed.changes {
		if c.Path == path && !c.Deleted {
			return c.After, nil
		}
	}
	return o.Access.Text(path)
}

// noticed makes the collector forget what a look at the disk found to be gone.

// besides says of which projects it is not known what an edit did there.
func (ed *edition) besides(own []diagnostics.FileReport) (unknown []string) {
	for i := range own {
		for _, a := range own[i].Answers {
			d, known := ed.definition(a.Server)
			if !known {
				continue
			}
			word := ed.setup.UnloadedBeside(&d, diagnostics.Key{ID: a.Server, Root: a.Root}, own[i].Path)
			if word == "" {
				continue
			}
			if word = "what the edit did beside its own project: " + word; !slices.Contains(unknown, word) {
				unknown = append(unknown, word)
			}
		}
	}
	return unknown
}
