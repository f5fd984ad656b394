package dependants

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// A Search finds the files that one set of changes affects. It is not safe for concurrent use.
type Search struct {
	*Finder
	Found
	changes Changes
	// Former are the texts from before changes that others made, by path, nil for a file that did not
	// exist; drafted changes have none, because servers still have the texts from before.
	Former map[string][]byte
	// drafted says that the changes have not been made yet; onDisk, that they are on disk when
	// servers judge them.
	drafted, onDisk bool
	// detection finds the servers for files. It is replaced when something changed on disk that it
	// may depend on.
	detection *roots.Detection
	members   *Membership
	// Includers knows which files include others by their names; nil if that does not matter.
	Includers *Includers
	included  []string // what including returns; nil before it is asked for
	// texts are the texts that the search has read, nil if none.
	texts *readTexts
	// unlimited says that all files found are judged.
	unlimited bool
	// inside says that the texts prove that the changes break no other file, fixesNone that no error is known
	// that they might fix, elsewhere that they change what is declared on other systems; nil if that has not been determined.
	inside, fixesNone, elsewhere *bool
}

// Found is what a search found.
type Found struct {
	// Files are the files to judge besides the changed ones.
	Files []diagnostics.File
	// Loaded are the Go files for which gopls reads what changes only when it loads them.
	Loaded []string
	// Unknown says what could not be found out, or was left out because it was too much.
	Unknown []string
	// Unproven says that changes that are judged in parts may affect more files than a search of
	// the texts finds.
	Unproven bool

	reach   *impact.Reach // nil if no server was asked what uses the changed symbols
	changed []impact.Change
	// left are the files beyond the limit; count includes them; chosen are all of them, by path.
	left   []string
	count  int
	chosen map[string]bool
	// using are, by path, those of Files that use what changes; the others have known errors, which
	// the changes may fix.
	using map[string]bool
}

// Drafted returns a search for the files that drafted changes affect. With onDisk, servers judge
// the changes once these are on disk; otherwise, as in a preview, they judge them without that.
func (f *Finder) Drafted(ctx context.Context, changes Changes, onDisk bool) *Search {
	detection := f.workspace.Detection()
	return &Search{
		Finder: f, changes: changes, drafted: true, onDisk: onDisk, detection: detection, members: f.Membership(ctx, detection), Includers: f.Includers(ctx),
	}
}

// Made returns a search for the files affected by changes that others made on disk.
func (f *Finder) Made(changes Changes, detection *roots.Detection, members *Membership) *Search {
	return &Search{Finder: f, changes: changes, onDisk: true, detection: detection, members: members}
}

// Unlimited removes the limit on the number of files that are judged.
func (s *Search) Unlimited() { s.unlimited = true }

// full reports whether n files reach the limit on the files to judge.
func (s *Search) full(n int) bool { return !s.unlimited && n >= s.config.Settings.MaxDependants }

// Detection returns the detection that finds the servers of files. Only one goroutine may use it at
// a time.
func (s *Search) Detection() *roots.Detection { return s.detection }

// SeenOnDisk reports whether what a new text of a file means for other files is seen by a server only when it is on disk; also if ctx ends
// before that is known.
func (s *Search) SeenOnDisk(ctx context.Context, path string) bool {
	return s.workspace.SeenOnDisk(ctx, s.detection, path)
}

// Members returns which files projects leave out.
func (s *Search) Members() *Membership { return s.members }

// ToDisk notes that the changes will be on disk after all when servers judge them.
func (s *Search) ToDisk() { s.onDisk = true }

// DetectAnew makes the search look for the servers of files again.
func (s *Search) DetectAnew() { s.detection = s.workspace.Detection() }

// DiskChanged drops the texts that were read, and makes the search look for servers again.
func (s *Search) DiskChanged() {
	s.DetectAnew()
	s.texts = nil
}

// Drop forgets the files that were found, because a server reports by itself on what the changes
// affect.
func (s *Search) Drop() { s.Found = Found{Loaded: s.Loaded, Unproven: s.Unproven} }

// NotKnown notes what could not be found out; each text is noted once.
func (s *Search) NotKnown(what string) {
	if !slices.Contains(s.Unknown, what) {
		s.Unknown = append(s.Unknown, what)
	}
}

// Users finds the files that use what drafted changes alter. It returns those of them, and of other
// files that may turn out to be affected, for which it is not known what is wrong before the
// changes.
func (s *Search) Users(ctx context.Context, q *symbols.Inquiry) (unknown []diagnostics.File, err error) {
	var changes []impact.Change
	for _, c := range s.changes {
		if path := cmp.Or(c.From, c.Path); !s.searched(c) && (s.MustAsk(path) || impact.SpreadsByText(path)) {
			changes = append(changes, restated(c)...)
		}
	}
	including := s.including()
	if len(changes) == 0 {
		s.uses(including)
		s.Files = s.choose(&s.Found, including)
		return s.notKnown(s.Files), nil
	}
	bounded, cancel := s.Searching(ctx)
	defer cancel()
	texts := s.textsFor(bounded, changes)
	if slices.ContainsFunc(changes, func(c impact.Change) bool { return s.isLarge(c.Path) }) {
		texts = texts.Alone()
	}
	s.noteLostBases(texts)
	reach, err := impact.FindUsers(bounded, q, texts, changes)
	if err := call.Canceled(ctx); err != nil {
		return nil, err
	}
	if err != nil {
		s.Unknown = append(s.Unknown, "the search for files that use what changes ended early")
	}
	s.Unknown = append(append(s.Unknown, reach.Unknown...), reach.Notes...)
	s.reach, s.changed = reach, changes
	users := slices.Concat(including, reach.Files(), s.openBeside(reach.Mute))
	s.uses(users)
	s.Files = s.choose(&s.Found, s.inOrder(users))
	possible := slices.Clone(s.Files)
	for _, path := range reach.Possible() {
		if f, ok := s.Dependant(path); ok && !s.full(len(possible)) {
			possible = append(possible, f)
		}
	}
	return s.notKnown(possible), nil
}

// including returns the files to which the changes matter because they include what changes by its name, but for those that
// are in Loaded.
func (s *Search) including() []string {
	if s.included != nil || s.Includers == nil {
		return s.included
	}
	s.included = []string{}
	for _, c := range s.changes {
		s.included = append(s.included, s.Includers.ConcernedBy(c)...)
	}
	s.included = slices.DeleteFunc(s.included, language.IncludesBelow)
	return s.included
}

// Includes reports whether a file includes one of the changed ones by its name.
func (s *Search) Includes(path string) bool { return slices.Contains(s.including(), path) }

// uses notes which files use what changes.
func (s *Search) uses(paths []string) {
	if s.using == nil {
		s.using = make(map[string]bool)
	}
	for _, path := range paths {
		s.using[path] = true
	}
}

// Uses reports whether a file was found to use what changes.
func (s *Search) Uses(path string) bool { return s.using[path] }

// Using returns those of the files that use what changes.
func (s *Search) Using() []diagnostics.File {
	return slices.DeleteFunc(slices.Clone(s.Files), func(f diagnostics.File) bool { return !s.using[f.Path] })
}

// notKnown returns the files for which it is not known what is wrong before the changes.
func (s *Search) notKnown(files []diagnostics.File) []diagnostics.File {
	return slices.DeleteFunc(slices.Clone(files), func(f diagnostics.File) bool { return f.Created || s.collector.Knows(nil, f, false) })
}

// MayOnlyFix reports whether a file was found only for its known errors, which the changes may fix: it uses
// nothing that changes.
func (s *Search) MayOnlyFix(path string) bool {
	return !s.using[path] && slices.ContainsFunc(s.Files, func(f diagnostics.File) bool { return f.Path == path })
}

// UsersOf adds the files that use what these changes alter. It asks the servers, which must know
// the texts that q refers to.
func (s *Search) UsersOf(ctx context.Context, q *symbols.Inquiry, changes Changes) ([]diagnostics.File, error) {
	bounded, cancel := s.Searching(ctx)
	defer cancel()
	var asked []impact.Change
	for _, c := range changes {
		asked = append(asked, restated(c)...)
	}
	reach, err := impact.FindUsers(bounded, q, impact.Texts{}, asked)
	switch {
	case call.Canceled(ctx) != nil:
		return nil, ctx.Err()
	case err != nil:
		s.Unknown = append(s.Unknown, "the search for files that use what changed ended early")
	}
	s.Unknown = append(append(s.Unknown, reach.Unknown...), reach.Notes...)
	users := slices.Concat(reach.Files(), reach.Possible(), s.openBeside(reach.Mute))
	s.uses(users)
	found := s.choose(&s.Found, users)
	s.Files = append(s.Files, found...)
	return found, nil
}

// Inferred returns further files that are affected because a function turned out to have another
// inferred type, which q asks for in the texts after the changes, and the counts including these
// files. It does not modify the search: the changes may be judged again.
func (s *Search) Inferred(ctx context.Context, q *symbols.Inquiry) (more []diagnostics.File, counts result.Dependants) {
	found := s.Found
	if found.reach != nil {
		more = s.choose(&found, found.reach.Inferred(ctx, q))
	}
	return more, s.counted(&found, len(found.Files)+len(more))
}

// Reconfigures reports whether drafted changes alter which files belong to a project.
func (s *Search) Reconfigures() bool {
	return s.drafted && slices.ContainsFunc(s.changes, func(c edit.Change) bool {
		return impact.Configures(c.Path) || impact.Configures(c.From)
	})
}

// Belonging returns the files found, without those that their projects leave out after the changes.
func (s *Search) Belonging(ctx context.Context) []diagnostics.File {
	files := slices.Clip(s.Files)
	if !s.Reconfigures() {
		return files
	}
	s.DetectAnew()
	s.members = s.Membership(ctx, s.detection)
	return slices.DeleteFunc(slices.Clone(files), func(f diagnostics.File) bool { return s.members.leftOut(f.Path) != "" })
}

// noteUnread notes projects for which it is not known what the changes broke there: a server that
// answers only for open files re-reads only what changed below its own root.
func (s *Search) noteUnread(changes []impact.Change, f diagnostics.File) {
	for _, source := range f.Sources {
		if d, _ := s.Definition(source.Key.ID); d.Diagnostics.ClosedFiles != registry.ClosedOpen {
			continue
		}
		outside := slices.ContainsFunc(changes, func(c impact.Change) bool {
			return !fspath.Below(source.Key.Root, c.Path) && slices.ContainsFunc(s.detection.Candidates(c.Path), func(other roots.Candidate) bool {
				return other.Definition.ID == source.Key.ID
			})
		})
		if outside {
			s.NotKnown(fmt.Sprintf("what the edit did to files in %s, which could not be judged: %s reads again only what changes below its own root; restart it, or run the compiler there",
				s.names.Relative(source.Key.Root), source.Key.ID))
		}
	}
}

// Openers returns one file for each server that answers for closed files but has none open: without
// an open file it has no project to find them in. The file is left open.
func (s *Search) Openers(files []diagnostics.File) (first []diagnostics.File) {
	busy := make(map[diagnostics.Key]bool)
	for _, server := range s.workspace.Running() {
		busy[diagnostics.Key{ID: server.Definition().ID, Root: server.Root()}] = len(server.OpenDocuments()) > 0
	}
	for _, f := range files {
		for _, source := range f.Sources {
			d, _ := s.Definition(source.Key.ID)
			if answers := d.Diagnostics.ClosedFiles; busy[source.Key] || answers != registry.ClosedCommand && answers != registry.ClosedPull {
				continue
			}
			busy[source.Key] = true
			f.Closed = false
			first = append(first, f)
			break
		}
	}
	return first
}

// openBeside returns the documents that are open in the servers of files whose symbols nobody
// reports: since users cannot be looked for, these documents are checked.
func (s *Search) openBeside(mute []string) (paths []string) {
	for _, path := range mute {
		for _, server := range s.workspace.Running() {
			if slices.ContainsFunc(s.detection.Candidates(path), func(c roots.Candidate) bool {
				return c.Definition.ID == server.Definition().ID && c.Key().Root == server.Root()
			}) {
				paths = append(paths, server.OpenDocuments()...)
			}
		}
	}
	slices.Sort(paths)
	return paths
}

// MustAsk reports whether dependants of a file must be looked for, because its server reports only
// on files that it is asked about, or reports on others only when the change is on disk and this
// one may never be.
func (s *Search) MustAsk(path string) bool {
	for _, c := range s.detection.Candidates(path) {
		if c.Unavailable == nil && c.Definition.Role == registry.Primary {
			d := c.Definition.Diagnostics
			return d.ClosedFiles != registry.ClosedPushes || d.Disk != nil && !s.onDisk
		}
	}
	return false
}

// inOrder returns the given users of what changes, together with files with known errors that the
// changes may fix and that servers do not report on by themselves. As the number of files to judge
// is limited, the most important come first. Files whose errors appeared during the session come
// before the users, for up to half of the limit: the session was told about these errors, and what
// is known about files beyond the limit is dropped.
func (s *Search) inOrder(users []string) []string {
	came, older := s.known()
	first := min(len(came), s.config.Settings.MaxDependants/2)
	return slices.Concat(came[:first], users, came[first:], older)
}

// known returns the files with known errors that the changes may fix: those whose errors appeared
// during the session, and a few others. The others are few because nobody need have been told about
// their errors.
func (s *Search) known() (came, older []string) {
	const most = 20
	ofSession := s.collector.Told(s.session)
	for _, r := range s.collector.Known(nil) {
		switch {
		case !s.workspace.Contains(r.Path) || !s.MustAsk(r.Path) && !s.InParts(r.Path) || !s.changes.MayReach(r.Path):
		case slices.Contains(ofSession, r.Path):
			came = append(came, r.Path)
		case len(older) < most:
			older = append(older, r.Path)
		}
	}
	return came, older
}

// choose adds to found those files of paths that can be judged and are not changed themselves, and
// returns the added files that are within the limit.
func (s *Search) choose(found *Found, paths []string) (files []diagnostics.File) {
	if found.chosen = maps.Clone(found.chosen); found.chosen == nil { // copies of found keep their own map
		found.chosen = make(map[string]bool)
	}
	for _, path := range paths {
		if found.chosen[path] || s.changes.Touch(path) {
			continue
		}
		left := s.members.leftOut(path) != ""
		if left && !s.Reconfigures() {
			continue
		}
		f, err := s.dependant(path)
		var unshown *workspace.NotDiagnosedError
		if errors.As(err, &unshown) {
			s.NotKnown(fmt.Sprintf("what the change did to %s, which uses what changed and is not checked: %s", s.names.Relative(path), unshown.Reason))
		}
		if err != nil || len(f.Sources) == 0 {
			continue
		}
		f.Created = left // its errors before were not the project's
		found.chosen[path] = true
		found.count++
		if s.full(len(found.Files) + len(files)) {
			found.left = append(slices.Clip(found.left), path)
			continue
		}
		if _, f.Narrow = s.Singly(path); f.Narrow {
			f.Reported = !slices.ContainsFunc(f.Sources, func(source diagnostics.Source) bool { return !s.collector.Reports(s.Former, source.Key) })
		}
		files = append(files, f)
		s.noteUnread(found.changed, f)
	}
	return files
}

// ForgetLeft drops what is known about the files beyond the limit, which the changes may have made
// outdated: nobody checks them, and their servers do not report on them by themselves.
func (s *Search) ForgetLeft() {
	for _, path := range s.left {
		if s.MustAsk(path) {
			s.collector.Forget(path)
		}
	}
}

// Dependant returns a file to judge because of others, with the servers that are primary for its
// language; false if there is no such server, no such file, or servers cannot be shown its text.
func (s *Search) Dependant(path string) (diagnostics.File, bool) {
	f, err := s.dependant(path)
	return f, err == nil && len(f.Sources) > 0
}

// dependant is Dependant with the reason why a file that servers judge has no text for them.
func (s *Search) dependant(path string) (diagnostics.File, error) {
	if !s.workspace.Contains(path) {
		return diagnostics.File{}, nil
	}
	content, given := s.overlay.Given(path)
	if !given {
		var err error
		if content, err = s.textOf(path); err != nil {
			return diagnostics.File{}, nil // it is gone, or left alone
		}
		if err = s.workspace.Diagnosable(path, content); err != nil && s.isJudged(path) {
			return diagnostics.File{}, err
		} else if err != nil {
			return diagnostics.File{}, nil
		}
	}
	f := diagnostics.File{Path: path, Content: content, Closed: !given}
	f.Shown = language.Is(path, language.Go) && s.workspace.Built(path, content).Elsewhere
	s.Sources(&f)
	f.Failures = nil
	f.Sources = slices.DeleteFunc(f.Sources, func(source diagnostics.Source) bool {
		d, _ := s.Definition(source.Key.ID)
		return d.Role != registry.Primary
	})
	return f, nil
}

// textOf returns the text of a file on disk, whether or not servers can be shown it.
func (s *Search) textOf(path string) ([]byte, error) {
	if s.texts != nil {
		return s.texts.read(path)
	}
	return s.workspace.Searched(path, maxSearched)
}

// isJudged reports whether a server is primary for the language of a file.
func (s *Search) isJudged(path string) bool {
	return slices.ContainsFunc(s.detection.Candidates(path), func(c roots.Candidate) bool {
		return c.Unavailable == nil && c.Definition.Role == registry.Primary
	})
}

// Counted returns how many files were found, and how many of them are judged.
func (s *Search) Counted() result.Dependants { return s.counted(&s.Found, len(s.Files)) }

func (s *Search) counted(found *Found, checked int) result.Dependants {
	const listed = 5
	counts := result.Dependants{Found: found.count, Checked: checked}
	for _, path := range found.left[:min(listed, len(found.left))] {
		counts.Unchecked = append(counts.Unchecked, s.names.Relative(path))
	}
	return counts
}
