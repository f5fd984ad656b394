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
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/roots"
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
	// alone says that no other files have changed; unlimited, that all files that the changes affect
	// are judged.
	alone, unlimited bool
	// went are deleted files that may be former versions of new files. They are not checked
	// themselves.
	went []string
	// gone are those of deleted whose text nobody knows.
	gone []string
	// doubted are other files that are asked about among the texts from before; see [checkPlan.unknownBefore].
	doubted []string
	// told are those of files that did not change: the session was told that they are broken.
	told []string
}

// subjects returns the files that a request is about: those that its names stand for or, without
// names, those that changed since the revision. Outside a git checkout, these are all files that a
// server knows.
func (ch *Checker) subjects(ctx context.Context, req api.CheckRequest) (all subjects, err error) {
	if len(req.Files) > 0 {
		return ch.named(ctx, req)
	}
	revision := ch.revision(req)
	changes, err := ch.workspace.Git().ChangesSince(ctx, revision)
	var failed *git.Error
	if errors.As(err, &failed) && req.Revision == "" {
		files, none := ch.workspace.Expand(ctx, ch.workspace.Root(), []string{"."})
		if none != nil { // if there is no file to check
			return subjects{}, err
		}
		all.files = ch.finder.Membership(ctx, ch.workspace.Detection()).Within(files, nil)
		all.deleted = slices.DeleteFunc(ch.allSeen(), func(path string) bool { return !fspath.Missing(path) })
		return all, nil
	}
	if err != nil {
		return subjects{}, err
	}
	all.from, all.alone = changes.Renamed, true
	isJudged, included := ch.judging(ctx), ch.finder.Includers(ctx)
	for _, path := range changes.Present {
		_, err := ch.readIncluded(included, path)
		var unread *workspace.NotDiagnosedError
		if (err == nil || errors.As(err, &unread) && unread.Unread) && isJudged(path) {
			all.files = append(all.files, path)
		}
	}
	for _, path := range changes.Deleted {
		if isJudged(path) {
			all.deleted = append(all.deleted, path)
		}
		for _, file := range included.Of(path) { // also if nobody is told of others
			if !slices.Contains(all.files, file) {
				all.files = append(all.files, file)
			}
		}
	}
	ch.addKnown(&all)
	slices.Sort(all.files)
	slices.Sort(all.deleted)
	return all, nil
}

// maxTold limits the files that are checked because the session was told that they are broken.
const maxTold = 50

// addKnown adds files that git does not say have changed: those that it does not look at and that have
// another text than the session first saw, and those of which the session was told that they are
// broken, so that it is told when they no longer are.
func (ch *Checker) addKnown(all *subjects) {
	told := ch.collector.Told(ch.session.name)
	known := slices.Clone(told[:min(len(told), maxTold)])
	for _, path := range ch.allSeen() {
		if text, _ := ch.firstSeen(path); !ch.isText(path, text) {
			known = append(known, path)
		}
	}
	for _, path := range known {
		if _, err := ch.workspace.Read(path); err == nil && ch.workspace.Contains(path) && !slices.Contains(all.files, path) {
			all.files = append(all.files, path)
			if text, seen := ch.firstSeen(path); !seen || ch.isText(path, text) {
				all.told = append(all.told, path)
			}
		}
	}
}

// isText reports whether a file has that text, or cannot be read.
func (ch *Checker) isText(path string, text []byte) bool {
	content, err := ch.workspace.Read(path)
	return err != nil || bytes.Equal(content, text)
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
		if _, err := os.Lstat(path); !given && fspath.IsMissing(err) { // the name of a folder stands for what is in it
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

// addGone adds the files that were at, or below, these paths when they were last judged or at the
// revision.
func (ch *Checker) addGone(ctx context.Context, req api.CheckRequest, gone []string, all *subjects) error {
	candidates, isJudged := ch.allSeen(), ch.judging(ctx)
	changes, err := ch.workspace.Git().ChangesSince(ctx, ch.revision(req))
	if err == nil {
		candidates, all.from = append(candidates, changes.Deleted...), changes.Renamed
	} else if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, path := range candidates {
		named := slices.ContainsFunc(gone, func(g string) bool { return fspath.Below(g, path) })
		if named && fspath.Missing(path) && !slices.Contains(all.deleted, path) && isJudged(path) {
			all.deleted = append(all.deleted, path)
		}
	}
	for _, path := range gone {
		said := slices.ContainsFunc(req.Gone, func(name string) bool {
			resolved, err := ch.names.Resolve(name)
			return err == nil && resolved == path
		})
		if said && !slices.Contains(all.deleted, path) && isJudged(path) {
			all.deleted, all.gone = append(all.deleted, path), append(all.gone, path)
		}
	}
	slices.Sort(all.deleted)
	return nil
}

// allSeen returns the files whose first texts the session keeps.
func (ch *Checker) allSeen() []string {
	ch.mu.Lock()
	defer ch.mu.Unlock()
	return slices.Collect(maps.Keys(ch.session.seen))
}

// tells reports whether something that is gone is among the deleted files, or contains one.
func (s *subjects) tells(path string) bool {
	return slices.ContainsFunc(s.deleted, func(d string) bool { return fspath.Below(path, d) })
}

// leftOut says which projects were too many for the servers of these reports to load, so that it is
// not known what a change breaks there; "" if there are none.
func (ch *Checker) leftOut(reports []diagnostics.FileReport) string {
	var left []string
	for _, r := range reports {
		for _, a := range r.Answers {
			for _, root := range ch.workspace.LeftOut(roots.Key{ID: a.Server, Root: a.Root}) {
				if name := ch.names.Relative(root); !slices.Contains(left, name) {
					left = append(left, name)
				}
			}
		}
	}
	if len(left) == 0 {
		return ""
	}
	return "projects that use what changed and are too many to be loaded: " + workspace.FirstOf(left)
}

// revision returns the revision that files are compared with: the one in
// the request, or the commit that was checked out when the session began. A later commit may be
// somebody's change: switching branches moves HEAD together with the files.
func (ch *Checker) revision(req api.CheckRequest) string {
	if req.Baseline == string(diagnostics.Head) {
		return cmp.Or(req.Revision, "HEAD")
	}
	return cmp.Or(req.Revision, ch.session.began, "HEAD")
}

// vacated returns the minimal valid text of a file: nothing or, where its language requires one,
// its package clause.
func vacated(path string, text []byte) []byte {
	if least := language.Of(path).Least; least != nil {
		return append(slices.Clone(least.Find(text)), '\n')
	}
	return nil
}
