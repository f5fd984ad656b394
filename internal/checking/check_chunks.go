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
)

// checkInParts checks more files than may be open at once, in chunks. All chunks share one
// deadline; as in any other check, a server that is demonstrably working is waited for longer.
func (ch *Checker) checkInParts(ctx context.Context, req api.CheckRequest, subject subjects, most int) (result.Check, error) {
	deadline := time.Now().Add(cmp.Or(api.Milliseconds(req.TimeoutMS), ch.opts.Config.Settings.FirstTouchTimeout))
	limit := ch.newWaitLimit(api.Milliseconds(req.TimeoutMS), api.Milliseconds(req.WaitLimitMS))
	all := newParts()
	changed := ch.formerTexts(ctx, req, subject)
	subject.unlimited = true
	for _, files := range ch.divide(subject.files, changed, most) {
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

func (ch *Checker) isAmong(name string, texts map[string][]byte) bool {
	path, err := ch.names.Resolve(name)
	_, among := texts[path]
	return err == nil && among
}

// divide divides files into chunks of at most so many, except that those that changed come first and together, and with
// them all files that the changes affect: in separate chunks, each would be compared with its former text among the new
// texts of the others. What a later chunk finds in a file that did not change, and that no change affects, was there
// before. Files whose servers read others from disk are not shown in their former text among others, and stay apart.
func (ch *Checker) divide(files []string, changed map[string][]byte, most int) [][]string {
	detection := ch.workspace.Detection()
	var together, rest []string
	for _, name := range files {
		path, err := ch.names.Resolve(name)
		if err == nil && ch.isAmong(name, changed) && !ch.finder.ReadsDisk(ch.judges(detection, path)) {
			together = append(together, name)
		} else {
			rest = append(rest, name)
		}
	}
	fill := min(len(rest), max(0, most-len(together)))
	first := slices.Concat(together, rest[:fill])
	return slices.Insert(slices.Collect(slices.Chunk(rest[fill:], most)), 0, first)
}

// formerTexts returns the texts of those of the files that differ from what they are compared with, by path, nil for
// one that did not exist; none if nothing is compared.
func (ch *Checker) formerTexts(ctx context.Context, req api.CheckRequest, all subjects) map[string][]byte {
	former := make(map[string][]byte)
	var asked []string
	for _, name := range all.files {
		path, err := ch.names.Resolve(name)
		if err != nil {
			continue
		}
		if text, given := req.Before[name]; given {
			former[path] = []byte(text)
		} else if text, seen := ch.firstSeen(path); seen {
			former[path] = text
		} else {
			asked = append(asked, path)
		}
	}
	if req.Baseline != api.BaselineNone {
		changes, err := ch.workspace.Git().ChangesSince(ctx, ch.revision(req))
		asked = slices.DeleteFunc(asked, func(path string) bool { return err != nil || !slices.Contains(changes.Present, path) })
		committed, _, err := ch.textsAt(ctx, ch.revision(req), asked)
		if err == nil {
			for _, path := range asked {
				former[path] = committed[path]
			}
		}
	}
	for path, text := range former {
		if content, err := ch.workspace.Read(path); err == nil && text != nil && bytes.Equal(content, text) {
			delete(former, path)
		}
	}
	return former
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
	all.Root, all.Epoch, all.CountOlder, all.AllErrors = answer.Root, answer.Epoch, answer.CountOlder, answer.AllErrors
	for _, f := range answer.Files {
		// A chunk that judged the file with what changed knows what is new in it; once judged, it is all known.
		if before, known := p.others[f.Path]; known && f.Error == nil {
			f = before
		}
		all.Files = append(all.Files, f)
	}
	for _, unknown := range answer.Unknown {
		if !slices.Contains(all.Unknown, unknown) {
			all.Unknown = append(all.Unknown, unknown)
		}
	}
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
		if _, known := p.others[f.Path]; !known { // the chunk of the changes comes first
			p.others[f.Path] = f
		}
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
