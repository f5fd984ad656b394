package checking

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/workspace"
)

// subjects are the files that a check is about.
type subjects struct {
	// files are the names of existing files, as given in the request.
	files []string
	// deleted are the absolute paths of deleted files. from are the former paths of renamed files,
	// by their new path; both are absolute.
	deleted []string
	from    map[string]string
	// went are deleted files that may be former versions of new files. They are not checked
	// themselves.
	went []string
	// broken are those of files that did not change and became wrong in this session.
	broken map[string]bool
}

// subjects returns the files that a request is about: those that its names stand for or, without
// names, those that changed since the revision and since they were last judged. Outside a git
// checkout, these are all files that a server knows.
func (ch *Checker) subjects(ctx context.Context, req api.CheckRequest) (all subjects, err error) {
	if len(req.Files) > 0 {
		return ch.named(ctx, req)
	}
	revision := ch.revision(req)
	changes, err := ch.workspace.ChangesSince(ctx, revision)
	var git *workspace.GitError
	if errors.As(err, &git) && req.Revision == "" {
		files, failed := ch.workspace.Expand(ctx, ch.workspace.Root(), []string{"."})
		if failed != nil { // if there is no file to check
			return subjects{}, err
		}
		return subjects{files: ch.finder.Membership(ctx, ch.workspace.Detection()).Within(files, nil)}, nil
	}
	if err != nil {
		return subjects{}, err
	}
	all.from = changes.Renamed
	judged := ch.judged()
	if revision != "HEAD" && req.Revision == "" {
		ch.dropCommitted(ctx, &changes, judged)
	}
	isJudged := ch.judging(ctx)
	for _, path := range changes.Present {
		if _, err := ch.workspace.Read(path); err == nil && isJudged(path) {
			all.files = append(all.files, path)
		}
	}
	for _, path := range changes.Deleted {
		embedders := ch.finder.EmbeddersOf(path)
		if isJudged(path) || len(embedders) > 0 {
			all.deleted = append(all.deleted, path)
		}
		for _, file := range embedders {
			if !slices.Contains(all.files, file) {
				all.files = append(all.files, file)
			}
		}
	}
	defer func() { all.deleted = ch.newlyGone(all.deleted) }()
	for path, text := range judged {
		if !ch.workspace.Contains(path) || slices.Contains(all.files, path) || slices.Contains(all.deleted, path) {
			continue
		}
		switch content, err := os.ReadFile(path); {
		case errors.Is(err, os.ErrNotExist):
			all.deleted = append(all.deleted, path)
		case err == nil && !bytes.Equal(content, text):
			all.files = append(all.files, path) // it is again as it was at the revision
		}
	}
	ch.addReturned(&all, isJudged)
	ch.addBroken(&all)
	slices.Sort(all.files)
	slices.Sort(all.deleted)
	return all, nil
}

// named returns the files that names stand for. A name of something that no longer exists stands
// for the files that it named before.
func (ch *Checker) named(ctx context.Context, req api.CheckRequest) (all subjects, err error) {
	var gone []string
	paths := make(map[string]string) // of what is gone, by name
	for _, name := range req.Files {
		path, err := ch.names.Resolve(name)
		if err != nil {
			continue
		}
		_, given := req.Contents[name]
		absent := isGone(path)
		ch.imagine(path, given && absent)
		if !given && absent {
			gone, paths[name] = append(gone, path), path
		}
	}
	if len(gone) > 0 {
		if err := ch.addGone(ctx, req, gone, &all); err != nil {
			return subjects{}, err
		}
	}
	// A name of something that is gone and that nobody knows is an error.
	present := slices.DeleteFunc(slices.Clone(req.Files), func(name string) bool {
		path, isGone := paths[name]
		return isGone && all.tells(path)
	})
	files, err := ch.workspace.Expand(ctx, ch.names.Base(), present)
	all.files = ch.finder.Membership(ctx, ch.workspace.Detection()).Within(files, present)
	return all, err
}

// imagine records whether a file exists only as a text given by a caller: it was never on disk, and
// so has not been deleted.
func (ch *Checker) imagine(path string, given bool) {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	switch {
	case given:
		ch.session.imagined[path] = true
	case !isGone(path):
		delete(ch.session.imagined, path)
	}
}

func (ch *Checker) isImagined(path string) bool {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return ch.session.imagined[path]
}

func isGone(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, os.ErrNotExist)
}

// addGone adds the files that were at, or below, these paths when they were last judged or at the
// revision.
func (ch *Checker) addGone(ctx context.Context, req api.CheckRequest, gone []string, all *subjects) error {
	candidates := slices.DeleteFunc(slices.Collect(maps.Keys(ch.collector.Judged(ch.session.name))), ch.isImagined)
	changes, err := ch.workspace.ChangesSince(ctx, ch.revision(req))
	if err == nil {
		candidates, all.from = append(candidates, changes.Deleted...), changes.Renamed
	} else if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, path := range candidates {
		named := slices.ContainsFunc(gone, func(g string) bool { return workspace.Below(g, path) })
		if named && isGone(path) && !slices.Contains(all.deleted, path) && len(workspace.Missed(ch.workspace.Candidates(path))) > 0 {
			all.deleted = append(all.deleted, path)
		}
	}
	slices.Sort(all.deleted)
	return nil
}

// judged returns the texts of files as they were last judged in the session, by path.
func (ch *Checker) judged() map[string][]byte {
	judged := ch.collector.Judged(ch.session.name)
	ch.mu.Lock()
	defer ch.mu.Unlock()
	for path, text := range ch.session.configured {
		if _, known := judged[path]; !known {
			judged[path] = text
		}
	}
	return judged
}

// noteConfigured records the texts of files that configure others, or are data that others may import, once their
// changes were judged.
func (ch *Checker) noteConfigured(changes []edit.Change) {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	for _, c := range changes {
		if c.Deleted {
			delete(ch.session.configured, c.Path)
		} else if impact.Configures(c.Path) || impact.IsData(c.Path) {
			ch.session.configured[c.Path] = c.After
		}
	}
}

// configuredBy returns the last judged text of a file that configures others, or is data.
func (ch *Checker) configuredBy(path string) (text []byte, known bool) {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	text, known = ch.session.configured[path]
	return text, known
}

// tells reports whether something that is gone is among the deleted files, or contains one.
func (s *subjects) tells(path string) bool {
	return slices.ContainsFunc(s.deleted, func(d string) bool { return workspace.Below(path, d) })
}

// addBroken adds the first files that became wrong in this session: their remaining errors are part
// of the answer even if nothing has changed since.
func (ch *Checker) addBroken(all *subjects) {
	const most = 50
	all.broken = make(map[string]bool)
	for _, path := range ch.collector.Came(ch.session.name) {
		if len(all.broken) == most || !ch.workspace.Contains(path) || slices.Contains(all.files, path) || slices.Contains(all.deleted, path) {
			continue
		}
		if _, err := ch.workspace.Read(path); err == nil {
			all.files, all.broken[path] = append(all.files, path), true
		}
	}
}

// newlyGone returns the deleted files whose deletion no check of the session has judged. A file
// that came back and was deleted again counts as new.
func (ch *Checker) newlyGone(deleted []string) []string {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	for path := range ch.session.gone {
		if !slices.Contains(deleted, path) {
			delete(ch.session.gone, path)
		}
	}
	return slices.DeleteFunc(deleted, func(path string) bool { return ch.session.gone[path] })
}

// noteGone records the deletions that a check has judged completely.
func (ch *Checker) noteGone(changes []edit.Change, judgement diagnostics.Judgement) {
	if judgement.Lacking {
		return
	}
	ch.mu.Lock()
	defer ch.mu.Unlock()
	for _, c := range changes {
		if gone := cmp.Or(c.From, c.Path); c.Deleted || c.From != "" {
			ch.session.gone[gone] = true
		}
	}
}

// noteAbsent records which files changes take away, and which are there again, if all that the
// changes did is known.
func (ch *Checker) noteAbsent(changes []edit.Change, complete bool) {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	for _, c := range changes {
		if c.Deleted || c.From != "" {
			ch.session.absent[cmp.Or(c.From, c.Path)] = true
		}
		if complete && !c.Deleted {
			delete(ch.session.absent, c.Path)
		}
	}
}

// wasAbsent reports whether a file was taken away and has not been judged since.
func (ch *Checker) wasAbsent(path string) bool {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return ch.session.absent[path]
}

// addReturned adds the files that were taken away and are there again.
func (ch *Checker) addReturned(all *subjects, isJudged func(path string) bool) {
	ch.mu.Lock()
	absent := slices.Collect(maps.Keys(ch.session.absent))
	ch.mu.Unlock()
	for _, path := range absent {
		if _, err := ch.workspace.Read(path); err == nil && isJudged(path) && !slices.Contains(all.files, path) {
			all.files = append(all.files, path)
		}
	}
}

// leftOut says which projects were too many for the servers of these reports to load, so that it is
// not known what a change breaks there; "" if there are none.
func (ch *Checker) leftOut(reports []diagnostics.FileReport) string {
	var roots []string
	for _, r := range reports {
		for _, a := range r.Answers {
			for _, root := range ch.workspace.LeftOut(workspace.Key{ID: a.Server, Root: a.Root}) {
				if name := ch.names.Relative(root); !slices.Contains(roots, name) {
					roots = append(roots, name)
				}
			}
		}
	}
	if len(roots) == 0 {
		return ""
	}
	return "projects that use what changed and are too many to be loaded: " + workspace.FirstOf(roots)
}

// revision returns the revision that files not judged in this session are compared with: the one in
// the request, or the commit that was checked out when the session began. A later commit may be
// somebody's change: switching branches moves HEAD together with the files.
func (ch *Checker) revision(req api.CheckRequest) string {
	if req.Baseline == string(diagnostics.Head) {
		return cmp.Or(req.Revision, "HEAD")
	}
	return cmp.Or(req.Revision, ch.session.began, "HEAD")
}

// dropCommitted removes the files that were committed since the session began and have been judged
// as they are.
func (ch *Checker) dropCommitted(ctx context.Context, changes *workspace.Changes, judged map[string][]byte) {
	uncommitted, err := ch.workspace.ChangesSince(ctx, "HEAD")
	if err != nil {
		return // then they are checked once more
	}
	changes.Present = slices.DeleteFunc(changes.Present, func(path string) bool {
		text, known := judged[path]
		if !known || slices.Contains(uncommitted.Present, path) {
			return false
		}
		content, err := os.ReadFile(path)
		return err == nil && bytes.Equal(content, text)
	})
}
