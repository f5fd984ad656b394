package checking

import (
	"cmp"
	"maps"
	"slices"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/result"
)

// The reports of servers about a change, by the role of the files.
type reports struct {
	// own are the files that changed or that were asked about, concerned those that a search found to
	// be affected, and others those on which servers reported by themselves.
	own, concerned, others []diagnostics.FileReport
	// unkept says what servers published and nobody has kept.
	unkept []string
}

// An outcome is what servers' reports say of a change, whoever made it. No other code decides what is
// not known of a change, so that a check and an edit cannot differ in it.
type outcome struct {
	// all is the judgement of everything.
	all diagnostics.Judgement
	// others are the reports on other files, by path, each once.
	others []diagnostics.FileReport
	// unknown says what is not known of the change.
	unknown []string
}

// outcomeOf decides what reports say of a change. files are the results for the own files, and unchecked
// are files that were left out. ofOwn returns what one of the own files contributes to the judgement.
func (s *shown) outcomeOf(
	r reports, files []result.File, unchecked []string, ofOwn func(*diagnostics.FileReport) diagnostics.Judgement,
) outcome {
	o := outcome{unknown: slices.Concat(s.unknown, r.unkept)}
	for i := range r.own {
		o.all = o.all.And(ofOwn(&r.own[i]))
	}
	var silent, doubtful, own unheard
	for i := range r.own {
		if r.own[i].Doubtful {
			own.add(s.names.FromRoot(r.own[i].Path), cmp.Or(r.own[i].Missing(), s.whyDoubtful(r.own[i].Path)))
		}
	}
	for _, f := range s.otherFiles(r) {
		o.others = append(o.others, f)
		o.all = o.all.And(s.elsewhere(f.Judgement))
		if f.Doubtful {
			doubtful.add(s.names.FromRoot(f.Path), cmp.Or(f.Missing(), s.whyDoubtful(f.Path)))
		} else if f.Judgement.Lacking {
			silent.add(s.names.FromRoot(f.Path), f.Missing())
		}
	}
	if s.search != nil {
		o.unknown = append(o.unknown, s.search.Unknown...)
	}
	if len(s.changes) > 0 {
		o.unknown = append(o.unknown, s.finder.UnloadedBeside(r.own)...)
		if left := s.leftOut(r.own); left != "" {
			o.unknown = append(o.unknown, left)
		}
	}
	o.unknown = append(o.unknown, s.unreported(r)...)
	if len(silent.files) > 0 {
		o.unknown = append(o.unknown, "what the change did to files that use it, as they could not be judged: "+silent.String())
	}
	if len(own.files) > 0 {
		o.unknown = append(o.unknown, "which errors are new, as it is not known what was wrong before: "+own.String())
	}
	if len(doubtful.files) > 0 {
		o.unknown = append(o.unknown, "whether the errors of other files are new, as it is not known what was wrong in them before: "+doubtful.String())
	}
	failed := slices.ContainsFunc(files, func(f result.File) bool { return f.Error != nil })
	o.all.Lacking = o.all.Lacking || failed || len(o.unknown)+len(unchecked) > 0
	o.all.Reached = o.all.Reached || len(r.own) == 0 // there are only deletions, or files that no server judges
	return o
}

// unreported says of changed files that crates include as code and that are not called .rs that it is not known what is wrong in them:
// rust-analyzer reports nothing there. If nothing else is wrong with the crate, cargo's failure shows it.
func (s *shown) unreported(r reports) (unknown []string) {
	isWrong := func(f diagnostics.FileReport) bool {
		return language.Is(f.Path, language.Rust) && (f.Judgement.NewErrors || f.Judgement.OldErrors || f.Doubtful)
	}
	if s.search == nil || s.search.Includers == nil || !slices.ContainsFunc(slices.Concat(r.own, r.concerned, r.others), isWrong) {
		return nil
	}
	paths := s.changes.Paths()
	if s.before != nil {
		paths = slices.AppendSeq(paths, maps.Keys(s.before.included.Texts))
	}
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		isOfCrate := func(file string) bool { return language.Is(file, language.Rust) }
		if !language.Is(path, language.Rust) && !fspath.Missing(path) && s.search.Includers.ReadsAll(path) && slices.ContainsFunc(s.search.Includers.Of(path), isOfCrate) {
			unknown = append(unknown, "what is wrong in a file that a crate includes as code, where rust-analyzer reports nothing: "+s.names.FromRoot(path))
		}
	}
	return unknown
}

// whyDoubtful says which changed file is why it is not known what was wrong with another before; "" if none is.
func (s *shown) whyDoubtful(path string) string {
	if s.before == nil {
		return ""
	}
	if ignored := s.ignored[path]; ignored != "" {
		return "git ignores " + s.names.FromRoot(ignored) + ", which it may use, so nobody knows what that was"
	}
	file := diagnostics.File{Path: path}
	s.finder.Sources(&file)
	hidden := s.hiddenFrom(&file, s.before)
	if !language.MayCross(hidden) {
		return ""
	}
	return "its server reads " + s.names.FromRoot(hidden) + " only as it is now"
}

// otherFiles returns the reports on other files than the own ones, by path and each once, without files that
// no project includes, files that are gone, and what a server happens to say of files that changed beside those
// that were asked about, because they were shown to it. What is wrong in them counts as new only if it is known to be.
// Warnings count in the files that were found: others have them as servers come to look at them.
func (s *shown) otherFiles(r reports) (list []diagnostics.FileReport) {
	for i, f := range slices.Concat(r.concerned, r.others) {
		isFormer := slices.ContainsFunc(s.changes, func(c edit.Change) bool { // its errors have moved with the file, or are gone with it
			return c.From == f.Path || c.Deleted && c.Path == f.Path
		})
		isAside := i >= len(r.concerned) && s.before.changedBeside(f.Path, s.changes) && !f.TellsAll()
		if isFormer || isAside || f.Apart() {
			continue
		}
		found := i < len(r.concerned)
		s.unblame(&f, found)
		f.Judgement.NewWarnings = f.Judgement.NewWarnings && found
		list = append(list, f)
	}
	slices.SortStableFunc(list, func(a, b diagnostics.FileReport) int { return cmp.Compare(a.Path, b.Path) })
	return slices.CompactFunc(list, func(a, b diagnostics.FileReport) bool { return a.Path == b.Path })
}

// elsewhere returns what the judgement of another file contributes: older errors there never decide, and without
// a state to compare with, an error there says nothing about a change.
func (s *shown) elsewhere(j diagnostics.Judgement) diagnostics.Judgement {
	j.OldErrors = false
	j.NewErrors = j.NewErrors && (s.before == nil || !s.before.noCommit)
	return j
}
