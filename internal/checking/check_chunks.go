package checking

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// checkInParts checks more files than may be open at once, in chunks. All chunks share one
// deadline; as in any other check, a server that is demonstrably working is waited for longer.
func (ch *Checker) checkInParts(ctx context.Context, req api.CheckRequest, subject subjects, most int) (result.Check, error) {
	deadline := time.Now().Add(cmp.Or(api.Milliseconds(req.TimeoutMS), ch.opts.Config.Settings.FirstTouchTimeout))
	limit := ch.newWaitLimit(api.Milliseconds(req.TimeoutMS), api.Milliseconds(req.WaitLimitMS))
	all := newParts()
	for _, files := range ch.divide(ctx, req, subject.files, most) {
		part, some := req, subject
		some.files = files
		if req.TimeoutMS >= 0 && limit.left() == 0 { // a negative time-out is refused later
			part.TimeoutMS = max(1, int(time.Until(deadline).Milliseconds()))
		}
		answer, judged, err := ch.checkAtOnce(ctx, part, some, limit)
		if err != nil {
			return result.Check{}, err
		}
		subject.deleted = nil // the first chunk covers them
		all.add(&answer, judged)
	}
	var order []string
	for _, name := range subject.files {
		order = append(order, ch.shownName(name))
	}
	return all.join(order), nil
}

// divide divides files into chunks of at most so many, except that those that changed come first and together: in
// separate chunks, each would be compared with its former text among the new texts of the others. Files whose servers
// read others from disk are not compared with former texts of which these servers know nothing, and stay apart; so do
// all if nothing is compared.
func (ch *Checker) divide(ctx context.Context, req api.CheckRequest, files []string, most int) [][]string {
	if req.Baseline == api.BaselineNone && len(req.Before) == 0 {
		return slices.Collect(slices.Chunk(files, most))
	}
	differs := ch.differing(ctx, req, files)
	detection := ch.workspace.Detection()
	var together, rest []string
	for _, name := range files {
		path, err := ch.names.Resolve(name)
		if err == nil && differs[path] && !ch.finder.ReadsDisk(ch.judges(detection, path)) {
			together = append(together, name)
		} else {
			rest = append(rest, name)
		}
	}
	fill := min(len(rest), max(0, most-len(together)))
	first := slices.Concat(together, rest[:fill])
	return slices.Insert(slices.Collect(slices.Chunk(rest[fill:], most)), 0, first)
}

// differing returns which of these files differ from what they are compared with, by path; it may contain others. It is
// empty if none of them has a former text: then there is no comparison, and all are new.
func (ch *Checker) differing(ctx context.Context, req api.CheckRequest, names []string) map[string]bool {
	differs := make(map[string]bool)
	changes, err := ch.workspace.ChangesSince(ctx, ch.revision(req))
	if err != nil {
		changes = workspace.Changes{} // then it goes by what was judged
	}
	for _, path := range changes.Present {
		differs[path] = true
	}
	judged, former := ch.judged(), len(req.Before)+len(changes.Deleted) > 0 // what is new may have been moved
	var unjudged []string
	for _, name := range names {
		path, err := ch.names.Resolve(name)
		if err != nil {
			continue
		}
		if _, given := req.Before[name]; given {
			differs[path] = true
		}
		if text, known := judged[path]; known {
			content, err := ch.workspace.Read(path)
			differs[path] = differs[path] || err == nil && !bytes.Equal(content, text)
			former = former || differs[path]
		} else if differs[path] {
			unjudged = append(unjudged, path)
		}
	}
	if !former {
		committed, _, err := ch.textsAt(ctx, ch.revision(req), unjudged)
		former = err == nil && len(committed) > 0
	}
	if !former {
		clear(differs)
	}
	return differs
}

// shownName returns the path that the result for a named file has.
func (ch *Checker) shownName(name string) string {
	if path, err := ch.names.Resolve(name); err == nil {
		return ch.names.FromRoot(path)
	}
	return ch.names.FromRoot(name)
}

// parts are the answers of the chunks of a check.
type parts struct {
	all          result.Check
	others, late map[string]result.File
	judgement    diagnostics.Judgement
}

func newParts() *parts {
	return &parts{others: make(map[string]result.File), late: make(map[string]result.File)}
}

// add adds the answer of a chunk.
func (p *parts) add(answer *result.Check, judged diagnostics.Judgement) {
	all := &p.all
	all.Root, all.Epoch = answer.Root, answer.Epoch
	for _, f := range answer.Files {
		// A chunk that judged the file with what changed knows what is new in it; once judged, it is all known.
		if before, known := p.others[f.Path]; known && f.Error == nil {
			f = before
		}
		all.Files = append(all.Files, f)
	}
	all.Unknown = append(all.Unknown, answer.Unknown...)
	all.Deleted = append(all.Deleted, answer.Deleted...)
	all.Dependants.Found += answer.Dependants.Found
	all.Dependants.Checked += answer.Dependants.Checked
	all.Dependants.Unchecked = append(all.Dependants.Unchecked, answer.Dependants.Unchecked...)
	for _, note := range answer.Notes {
		if !slices.Contains(all.Notes, note) {
			all.Notes = append(all.Notes, note)
		}
	}
	p.judgement = p.judgement.And(judged)
	for _, f := range answer.Others {
		p.others[f.Path] = f
	}
	for _, f := range answer.Late {
		p.late[f.Path] = f
	}
}

// join returns the answer of all chunks, with its files in this order of paths.
func (p *parts) join(order []string) result.Check {
	place := make(map[string]int)
	for i, path := range order {
		if _, known := place[path]; !known {
			place[path] = i
		}
	}
	all := p.all
	slices.SortStableFunc(all.Files, func(a, b result.File) int { return cmp.Compare(place[a.Path], place[b.Path]) })
	for _, f := range all.Files { // what the check of the file itself reports takes precedence
		delete(p.others, f.Path)
		delete(p.late, f.Path)
	}
	sorted := func(files map[string]result.File) (list []result.File) {
		for _, path := range slices.Sorted(maps.Keys(files)) {
			list = append(list, files[path])
		}
		return list
	}
	all.Others, all.Late, all.Verdict = sorted(p.others), sorted(p.late), string(p.judgement.Verdict())
	all.Incomplete = p.judgement.Lacking
	return all
}
