package workspace

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/child"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/project"
)

// Changes are the files below the root that differ from a revision; absolute, sorted.
type Changes struct {
	// Present are those that are there: changed, new and untracked ones.
	Present []string
	// Deleted are those that are gone, renamed ones among them.
	Deleted []string
	// Renamed are the former paths of files in Present that git takes for renamed.
	Renamed map[string]string
}

// ChangesSince returns what differs from a revision, in submodules from the commits that it has them at. In a repository without
// commits every file is new.
func (w *Workspace) ChangesSince(ctx context.Context, revision string) (Changes, error) {
	if strings.HasPrefix(revision, "-") {
		return Changes{}, &GitError{[]string{"diff", revision}, "a revision does not begin with -: " + revision}
	}
	listed, err := w.git(ctx, "diff", "--raw", "--no-abbrev", "-z", "--relative", "--find-renames", revision, "--")
	if err != nil && revision == "HEAD" && w.unborn(ctx) {
		all, err := w.AllFiles(ctx)
		return Changes{Present: all}, err
	}
	if err != nil {
		return Changes{}, err
	}
	untracked, err := w.git(ctx, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return Changes{}, err
	}
	c := w.decodeChanges(string(listed), w.sameAs(ctx, string(listed)))
	c.Present = append(c.Present, w.absolute(untracked)...)
	// What was deleted from the index alone is untracked as well.
	c.Deleted = slices.DeleteFunc(c.Deleted, func(path string) bool { return slices.Contains(c.Present, path) })
	slices.Sort(c.Present)
	slices.Sort(c.Deleted)
	return w.withSubmodules(ctx, revision, c)
}

// ChangesIn returns the commit that is checked out in a folder, "" without one, and what
// differs below it from a revision, without anything else of a workspace being made.
//
// Of the options, Root, Environ and Trusted count.
func ChangesIn(ctx context.Context, opts Options, revision string) (commit string, c Changes, err error) {
	if Unversioned(opts.Root, opts.Environ) {
		return "", Changes{}, &GitError{[]string{"diff", revision}, "the folder is in no git repository"}
	}
	opts.Environ = child.Environ(opts.Root, opts.Environ)
	w := &Workspace{root: opts.Root, opts: opts, foreign: foreignIn(opts.Root, opts.Trusted)}
	c, err = w.ChangesSince(ctx, revision)
	return w.Commit(ctx), c, err
}

// A rawChange is a file in the output of git diff --raw -z.
type rawChange struct {
	// from and to are the modes and the ids of what the file was and is; the id is all zeros of a text that git has not read.
	fromMode, toMode, from, to string
	status                     byte
	// path is the file, was the one that it was renamed from, or copied, "" if it was not; both have slashes.
	path, was string
}

func decodeRaw(listed string) (changes []rawChange) {
	fields := strings.Split(strings.TrimRight(listed, "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		said := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(said) < 5 {
			return changes
		}
		c := rawChange{said[0], said[1], said[2], said[3], said[4][0], fields[i+1], ""}
		if c.status == 'R' || c.status == 'C' { // two names follow
			if i++; i+1 >= len(fields) {
				return changes
			}
			c.was, c.path = c.path, fields[i+1]
		}
		changes = append(changes, c)
	}
	return changes
}

// sameAs returns the files that git diff lists although they are as they were: only their times are others than in git's index. If that
// cannot be found out, there is none.
func (w *Workspace) sameAs(ctx context.Context, listed string) map[string]bool {
	var doubtful []rawChange
	for _, c := range decodeRaw(listed) {
		if c.status == 'M' && c.fromMode == c.toMode && strings.HasPrefix(c.fromMode, "100") && strings.Trim(c.to, "0") == "" {
			doubtful = append(doubtful, c)
		}
	}
	same := make(map[string]bool)
	for some := range slices.Chunk(doubtful, 500) { // names are arguments, as they would be below the root of the checkout on standard input
		arguments := []string{"hash-object", "--"}
		for _, c := range some {
			arguments = append(arguments, c.path)
		}
		ids, err := w.git(ctx, arguments...)
		is := strings.Fields(string(ids))
		if err != nil || len(is) != len(some) {
			continue
		}
		for i, c := range some {
			if is[i] == c.from {
				same[c.path] = true
			}
		}
	}
	return same
}

// decodeChanges reads the output of git diff --raw -z, without files that are the same.
func (w *Workspace) decodeChanges(listed string, same map[string]bool) Changes {
	c := Changes{Renamed: make(map[string]string)}
	absolute := func(path string) string { return filepath.Join(w.root, filepath.FromSlash(path)) }
	for _, raw := range decodeRaw(listed) {
		path := absolute(raw.path)
		switch {
		case raw.status == 'D':
			c.Deleted = append(c.Deleted, path)
		case raw.status == 'R':
			was := absolute(raw.was)
			c.Present, c.Deleted, c.Renamed[path] = append(c.Present, path), append(c.Deleted, was), was
		case !same[raw.path]:
			c.Present = append(c.Present, path)
		}
	}
	return c
}

// Commit returns the id of the commit that is checked out; "" without a checkout, without
// git, and in a repository without commits.
func (w *Workspace) Commit(ctx context.Context) string {
	id, err := w.git(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

// unborn reports whether the root is in a repository without commits.
func (w *Workspace) unborn(ctx context.Context) bool {
	if _, err := w.git(ctx, "rev-parse", "--git-dir"); err != nil {
		return false
	}
	_, err := w.git(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	return err != nil && ctx.Err() == nil
}

// TextsAt returns the contents that files had at a revision, by path, from one process
// for all; what was not there is not among them. Known is false if there is no such
// revision: without a checkout, without git, in a repository without commits. An unknown
// revision other than HEAD is a *GitError as well. Files in a submodule have the contents of the commit that the revision has it
// at. Those in another checkout below the root have those of the commit that is checked out there, or of the revision if that names one.
func (w *Workspace) TextsAt(ctx context.Context, revision string, paths []string) (texts map[string][]byte, known bool, err error) {
	own, inside := w.byCheckout(paths)
	if texts, known, err = w.textsAt(ctx, revision, own); err != nil {
		return texts, known, err
	}
	if known {
		w.addGoneTexts(ctx, revision, own, texts)
	}
	if len(inside) == 0 {
		return texts, known, nil
	}
	commit, recorded := w.Commit(ctx), w.recorded(ctx, revision, slices.Collect(maps.Keys(inside)))
	for checkout, paths := range inside {
		there, base := w.at(checkout), revision
		if submodule := recorded[checkout]; submodule != "" {
			base = submodule
		} else if revision == commit { // which says nothing about the other checkout
			base = "HEAD"
		}
		more, found, err := there.TextsAt(ctx, base, paths)
		if !found || err != nil {
			more, found, err = there.TextsAt(ctx, "HEAD", paths)
		}
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if found && err == nil {
			maps.Copy(texts, more)
			known = known || len(own) == 0
		}
	}
	return texts, known, nil
}

// byCheckout returns the paths that are in no checkout but that of the root, and the others by checkout.
func (w *Workspace) byCheckout(paths []string) (own []string, inside map[string][]string) {
	inside = make(map[string][]string)
	for _, path := range paths {
		if checkout := w.outermostOf(filepath.Dir(path)); checkout != "" {
			inside[checkout] = append(inside[checkout], path)
		} else {
			own = append(own, path)
		}
	}
	return own, inside
}

// FilesAt returns the files below the root that are in a revision, relative to the root, with slashes: neither links nor what is in other
// checkouts. If there is no such revision that is a *GitError.
func (w *Workspace) FilesAt(ctx context.Context, revision string) (names []string, err error) {
	output, err := w.git(ctx, "ls-tree", "-r", "-z", revision+"^{commit}")
	if err != nil {
		return nil, err
	}
	for entry := range strings.SplitSeq(string(output), "\x00") {
		// "<mode> <type> <id>\t<name>"
		if about, name, found := strings.Cut(entry, "\t"); found && strings.HasPrefix(about, "100") {
			names = append(names, name)
		}
	}
	return names, nil
}

// CommitOf returns the id of the commit that a revision names. If there is none that is a *GitError.
func (w *Workspace) CommitOf(ctx context.Context, revision string) (string, error) {
	if revision == "" || strings.HasPrefix(revision, "-") {
		return "", &GitError{[]string{"rev-parse", revision}, revision + " is no revision: it is a name or an id"}
	}
	id, err := w.git(ctx, "rev-parse", "--verify", "--quiet", revision+"^{commit}")
	if err != nil {
		return "", &GitError{[]string{"rev-parse", revision}, "there is no such revision " + revision}
	}
	return strings.TrimSpace(string(id)), nil
}

func (w *Workspace) textsAt(ctx context.Context, revision string, paths []string) (texts map[string][]byte, known bool, err error) {
	texts = make(map[string][]byte, len(paths))
	if revision == "" || strings.HasPrefix(revision, "-") {
		return nil, false, &GitError{[]string{"rev-parse", revision}, revision + " is no revision: it is a name or an id"}
	}
	if _, err := w.git(ctx, "rev-parse", "--verify", "--quiet", revision+"^{commit}"); err != nil {
		var failed *GitError
		switch {
		case ctx.Err() != nil:
			return nil, false, ctx.Err()
		case revision == "HEAD":
			return texts, false, nil
		case errors.As(err, &failed) && strings.HasPrefix(failed.Reason, "exit status"):
			return nil, false, &GitError{[]string{"rev-parse", revision}, "there is no such revision " + revision}
		}
		return nil, false, err
	}
	var asked []string
	var names strings.Builder
	for _, path := range paths {
		name := fmt.Sprintf("%s:./%s", revision, w.Relative(path))
		if strings.Contains(name, "\n") { // which ends a name below
			if content, err := w.git(ctx, "cat-file", "blob", name); err == nil {
				texts[path] = content
			}
			continue
		}
		asked = append(asked, path)
		names.WriteString(name + "\n")
	}
	output, err := w.gitReading(ctx, strings.NewReader(names.String()), "cat-file", "--batch")
	if err != nil {
		return nil, false, err
	}
	if err := readObjects(output, asked, texts); err != nil {
		return nil, false, err
	}
	return texts, true, nil
}

// readObjects adds to texts the contents that git cat-file --batch has for paths.
func readObjects(output []byte, paths []string, texts map[string][]byte) error {
	reader := bufio.NewReader(bytes.NewReader(output))
	for _, path := range paths {
		content, found, err := nextObject(reader)
		if err != nil {
			return &GitError{[]string{"cat-file", "--batch"}, err.Error()}
		}
		if found {
			texts[path] = content
		}
	}
	return nil
}

// nextObject reads one answer of git cat-file --batch: "<id> <type> <size>", the content
// and a line end, or "<name> missing".
func nextObject(r *bufio.Reader) (content []byte, found bool, err error) {
	header, err := r.ReadString('\n')
	if err != nil {
		return nil, false, err
	}
	if strings.HasSuffix(header, " missing\n") { // whatever the name looks like
		return nil, false, nil
	}
	fields := strings.Fields(header)
	if len(fields) < 3 || fields[len(fields)-2] != "blob" {
		if len(fields) == 3 && fields[1] == "tree" { // a folder of that name
			size, err := strconv.Atoi(fields[2])
			if err == nil {
				_, err = r.Discard(size + 1)
			}
			return nil, false, err
		}
		return nil, false, nil
	}
	size, err := strconv.Atoi(fields[len(fields)-1])
	if err != nil {
		return nil, false, err
	}
	content = make([]byte, size+1)
	if _, err := io.ReadFull(r, content); err != nil {
		return nil, false, err
	}
	return content[:size], true, nil
}

// Expand returns the files that names stand for, in their order, each once: a folder, or
// "folder/...", stands for the files in it that git does not ignore and that a server
// knows, a glob for those that it matches, anything else for itself. What is called like a part of a
// glob is meant by that part: app/[slug]/*.ts are the files in the folder [slug]. A folder or glob
// without such a file is a *NotDiagnosedError. Relative names are taken from base.
func (w *Workspace) Expand(ctx context.Context, base string, names []string) ([]string, error) {
	var files, all []string
	seen := make(map[string]bool)
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			files = append(files, name)
		}
	}
	for _, name := range names {
		matches := w.matcher(base, name)
		if matches == nil {
			add(name)
			continue
		}
		if all == nil {
			var err error
			if all, err = w.known(ctx); err != nil {
				return nil, err
			}
		}
		found := false
		for _, path := range all {
			if matches(path) {
				found = true
				add(path)
			}
		}
		if !found {
			return nil, &NotDiagnosedError{name, "no server knows a file in it", "name files; status lists the servers", false}
		}
	}
	return files, nil
}

// known returns the files below the root that a server is missed for or knows.
func (w *Workspace) known(ctx context.Context) ([]string, error) {
	files, err := w.AllFiles(ctx)
	if err != nil {
		files, err = w.unversioned(ctx)
	}
	if err != nil {
		files, err = w.onDisk(ctx)
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	detection := w.Detection()
	return slices.DeleteFunc(files, func(path string) bool {
		if w.skipped(path) != "" || len(Missed(detection.Candidates(path))) == 0 {
			return true
		}
		info, err := os.Stat(path)
		return err != nil || !info.Mode().IsRegular()
	}), nil
}

// unversioned returns the files below a root that is in no checkout, without those that
// ignore files name: git applies these with an empty repository that stands elsewhere.
func (w *Workspace) unversioned(ctx context.Context) ([]string, error) {
	empty, err := os.MkdirTemp("", "lspine-files-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(empty) }() // what is left is an empty repository
	if _, err := w.git(ctx, "init", "--quiet", "--bare", empty); err != nil {
		return nil, err
	}
	names, err := w.git(ctx, "--git-dir="+empty, "--work-tree="+w.root, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	var files, nested []string
	for _, path := range w.absolute(names) {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			nested = append(nested, path) // a checkout of its own
			continue
		}
		files = append(files, path)
	}
	if len(nested) == 0 {
		return files, nil
	}
	there, err := w.onDisk(ctx)
	if err != nil {
		return nil, err
	}
	for _, path := range there {
		if slices.ContainsFunc(nested, func(folder string) bool { return fspath.Below(folder, path) }) {
			files = append(files, path)
		}
	}
	return files, nil
}

// onDisk returns the files that a sweep looks at, as they are now: the picture is that of the last
// sweep.
func (w *Workspace) onDisk(ctx context.Context) ([]string, error) {
	return w.walk(ctx, maxTree, func(string) bool { return false })
}

// walk returns the first files below the root that a sweep looks at and that are in no folder that is without.
func (w *Workspace) walk(ctx context.Context, most int, without func(folder string) bool) (files []string, err error) {
	err = filepath.WalkDir(w.root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // it is gone, or may not be read
			return nil
		case e.IsDir() && path != w.root && (w.skipped(path) != "" || project.HoldsNow(path) != project.HoldsFiles || without(path)):
			return filepath.SkipDir
		case e.IsDir() || !w.matters(e.Name()):
			return nil
		case len(files) == most:
			return filepath.SkipAll
		}
		files = append(files, path)
		return nil
	})
	return files, err
}

// matcher returns what tells the files that a name stands for, or nil if it is the name
// of one file.
func (w *Workspace) matcher(base, name string) func(path string) bool {
	absolute := filepath.FromSlash(name)
	if !filepath.IsAbs(absolute) {
		absolute = filepath.Join(base, absolute)
	}
	if folder, recursive := strings.CutSuffix(absolute, string(filepath.Separator)+"..."); recursive {
		absolute = folder
	}
	var info fs.FileInfo
	resolved, err := fspath.Follow(filepath.Clean(absolute))
	if err == nil {
		info, err = os.Stat(resolved)
	}
	switch { // no file on Windows may have the name of a glob, which is another error than that it is not there
	case err == nil && info.IsDir():
		return func(path string) bool { return fspath.Below(resolved, path) }
	case err == nil || !strings.ContainsAny(name, "*?[{"):
		return nil
	}
	if pattern := newGlob(absolute); pattern != nil {
		return pattern.matches
	}
	return nil
}
