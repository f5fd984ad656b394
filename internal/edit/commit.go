package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
)

// Commit writes a plan to disk: all of it or nothing. Each file is written to a
// temporary one beside it, with the mode and, where possible, the owner of the
// old file (of the one it is renamed from), synced, and moved into place. Hard
// links are broken: the other names keep the old content, because writing into
// the file could not be undone by a crash. Extended attributes are not kept.
//
// journalDir is outside the edited trees, made if need be, and the same for all
// who edit them: commits are serialised by a lock in it, and it holds what
// [Recover] needs after a crash. An interrupted commit of another process is
// recovered first; if that found files that somebody changed, or undid
// something, it is an *UnfinishedError.
//
// A crash of the machine, not only of the process, may undo a commit of one file
// that had just returned, but leaves it whole; one of several files is on the
// disk when it returns.
//
// Nothing was changed if the error is a *ReadOnlyError (a file may not be
// written), a *ConflictError (a file is not what the plan read, or appeared), a
// *WriteError, or that of ctx, which counts until the first file is moved. After
// a *TornError some files are changed; it says which. After nil the plan is
// spent.
func Commit(ctx context.Context, plan *Plan, journalDir string) error {
	return new(committer).commit(ctx, plan, journalDir)
}

// Stage does the slow part of a [Commit]: it writes and syncs the temporary files, and keeps the
// lock. The result must be committed or abandoned. Errors are those of Commit; the result is then
// nil.
func Stage(ctx context.Context, plan *Plan, journalDir string) (*Staged, error) {
	return new(committer).begin(ctx, plan, journalDir)
}

// A Staged is a commit whose new files are written beside those that they will replace.
type Staged struct {
	committer *committer
	journal   *journal
	targets   []*target
	unlock    func()
}

// Commit moves the files into place; see the function [Commit].
func (s *Staged) Commit(ctx context.Context) error {
	defer s.unlock()
	err := s.committer.write(ctx, s.journal, s.targets)
	if err == nil {
		s.committer.finish(s.journal)
		return nil
	}
	return s.committer.undo(s.journal, err)
}

// Abandon removes the temporary files. No file is changed.
func (s *Staged) Abandon() {
	defer s.unlock()
	_, _ = s.committer.rollBack(s.journal) // what it leaves Recover takes away
}

// A committer writes and recovers. before, for tests, is called ahead of each
// step that changes the disk; it must be safe for concurrent use.
type committer struct {
	before func(step, path string) error
	// keeps says that what was there is kept also of a file that is alone and replaced
	// at once.
	keeps bool
}

// do takes a step. path is the file it is about.
func (c *committer) do(step, path string, f func() error) error {
	if c.before != nil {
		if err := c.before(step, path); err != nil {
			return &stepError{path, step, err}
		}
	}
	if err := f(); err != nil {
		return &stepError{path, step, err}
	}
	return nil
}

// A target is one path that changes.
type target struct {
	move
	before, after []byte
	like          string // the file whose mode and owner the new one gets, "" for none
	mode          os.FileInfo
	seen          os.FileInfo // at the path when its content was compared, nil for none
}

// targets returns what the plan changes on disk, path by path.
func (p *Plan) targets() []*target {
	var targets []*target
	for _, f := range p.files {
		if f.unchanged() {
			continue
		}
		t := &target{move: move{Path: f.path, Spelled: f.spelled}, before: f.before, after: f.after}
		if f.existed {
			t.Before, t.like = Hash(f.before), f.path
		}
		if f.exists {
			t.After = Hash(f.after)
		}
		if f.exists && f.from != "" {
			t.like = f.from
		}
		targets = append(targets, t)
	}
	slices.SortFunc(targets, func(a, b *target) int { return strings.Compare(a.Path, b.Path) })
	return targets
}

// unchanged reports whether the file ends as it began.
func (f *planned) unchanged() bool {
	return f.exists == f.existed && f.spelled == "" && bytes.Equal(f.before, f.after)
}

func (c *committer) commit(ctx context.Context, plan *Plan, journalDir string) error {
	if len(plan.targets())+len(plan.dirs) == 0 {
		return nil
	}
	staged, err := c.begin(ctx, plan, journalDir)
	if err != nil {
		return err
	}
	return staged.Commit(ctx)
}

func (c *committer) begin(ctx context.Context, plan *Plan, journalDir string) (staged *Staged, err error) {
	targets := plan.targets()
	unlock, err := lock(ctx, journalDir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if staged == nil { // a panic included
			unlock()
		}
	}()
	report, err := c.recoverLocked(journalDir, nil)
	if err != nil {
		return nil, err
	}
	if len(report.Undone)+len(report.Changed) > 0 {
		return nil, &UnfinishedError{report}
	}
	for _, t := range targets {
		if err := t.check(); err != nil {
			return nil, err
		}
	}
	j, err := newJournal(journalDir, targets, plan.dirs, c.keeps)
	if err != nil {
		return nil, err
	}
	if err := c.prepare(j, targets, plan.like); err != nil {
		return nil, c.undo(j, err)
	}
	return &Staged{c, j, targets, unlock}, nil
}

// undo takes back what was done before a step failed, and returns what is to be said.
func (c *committer) undo(j *journal, err error) error {
	changed, failed := c.rollBack(j)
	if torn := tornError(err, failed, changed, j); torn != nil {
		return torn
	}
	if step := (*stepError)(nil); errors.As(err, &step) {
		return &WriteError{step.path, step.step, step.err}
	}
	return err
}

// check fails if the target cannot be written or is not as the plan read it, as
// far as this can be told without reading it.
func (t *target) check() error {
	if t.like != "" {
		info, err := os.Lstat(t.like)
		if err != nil {
			return &ConflictError{t.like, "it is gone"}
		}
		t.mode = info
	}
	dir := filepath.Dir(t.Path)
	if resolved, err := fspath.Real(dir); err == nil && !sameSpelling(resolved, dir) {
		return &ConflictError{t.Path, "its folder is now a symbolic link"}
	}
	info, err := os.Lstat(t.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && t.Before == "":
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return &ConflictError{t.Path, "it is gone"}
	case err != nil:
		return &ConflictError{t.Path, "it can no longer be reached: " + err.Error()}
	case t.Before == "":
		return &ConflictError{t.Path, "it appeared meanwhile"}
	case !info.Mode().IsRegular():
		return &ConflictError{t.Path, "it is no regular file any more"}
	case info.Mode().Perm()&0o222 == 0 || !mayWrite(t.Path):
		return &ReadOnlyError{t.Path}
	}
	return nil
}

// verify compares the target with what the plan read.
func (t *target) verify() error {
	if t.Before == "" {
		if _, err := os.Lstat(t.Path); !errors.Is(err, fs.ErrNotExist) {
			return &ConflictError{t.Path, "it appeared meanwhile"}
		}
		return nil
	}
	info, err := os.Lstat(t.Path)
	if err != nil || !info.Mode().IsRegular() {
		return &ConflictError{t.Path, "it is gone, or no file any more"}
	}
	content, err := fspath.Read(t.Path)
	if err != nil || !bytes.Equal(content, t.before) {
		return &ConflictError{t.Path, "somebody wrote it meanwhile"}
	}
	t.seen = info
	return nil
}

// unseen fails if somebody replaced or wrote the file since verify.
func (t *target) unseen() error {
	if t.seen == nil {
		return nil
	}
	info, err := os.Lstat(t.Path)
	if err != nil || !os.SameFile(info, t.seen) || info.Size() != t.seen.Size() || !info.ModTime().Equal(t.seen.ModTime()) {
		return &ConflictError{t.Path, "somebody wrote it meanwhile"}
	}
	return nil
}

// prepare writes the journal, the folders, some of them with the modes of others, and the temporary files.
func (c *committer) prepare(j *journal, targets []*target, like map[string]string) error {
	if err := c.do("journal", j.dir, j.save); err != nil {
		return err
	}
	for _, dir := range j.Made {
		if err := c.do("make folder", dir, func() error { return makeFolder(dir, like[dir]) }); err != nil {
			return err
		}
	}
	return c.stage(targets)
}

// makeFolder makes a folder, with the mode of another one unless like is "". At no time may others do more with it than with that one.
func makeFolder(dir, like string) error {
	if like == "" {
		return os.Mkdir(dir, 0o777)
	}
	info, err := os.Lstat(like)
	if errors.Is(err, fs.ErrNotExist) { // it was made by the same edit
		return os.Mkdir(dir, 0o777)
	}
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return os.Chmod(dir, info.Mode()&(fs.ModePerm|fs.ModeSetgid|fs.ModeSticky))
}

// write does the rest of j up to the decision.
func (c *committer) write(ctx context.Context, j *journal, targets []*target) error {
	for _, t := range targets {
		if err := t.verify(); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("the edit was given up before anything was changed: %w", err)
	}
	if err := c.advance(j, moving); err != nil {
		return err
	}
	for _, t := range targets {
		if err := c.place(t); err != nil {
			return err
		}
	}
	return c.advance(j, decided)
}

// advance marks a new phase. When more than one file is concerned the phases
// reach the disk in order.
func (c *committer) advance(j *journal, phase string) error {
	return c.do("mark "+phase, j.dir, func() error {
		if j.several() {
			for _, dir := range j.folders() {
				if err := syncDir(dir); err != nil {
					return err
				}
			}
		}
		return j.mark(phase)
	})
}

// stagers is how many files are synced at a time.
const stagers = 8

// stage writes temporary files and backups, several at a time.
func (c *committer) stage(targets []*target) error {
	if len(targets) == 1 {
		return c.stageOne(targets[0])
	}
	var (
		all    guard.Group
		errs   = make([]error, len(targets))
		places = make(chan struct{}, stagers)
	)
	for i, t := range targets {
		all.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			errs[i] = c.stageOne(t)
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *committer) stageOne(t *target) error {
	if t.After != "" {
		if err := c.writeTemp(t); err != nil {
			return err
		}
	}
	if t.After == "" || t.Backup == "" {
		return nil
	}
	return c.do("back up", t.Path, func() error {
		if os.Link(t.Path, t.Backup) == nil {
			return nil
		}
		return copyFile(t.Path, t.Backup) // no links here, or not of files of others
	})
}

func (c *committer) writeTemp(t *target) (err error) {
	var f *os.File
	mode := os.FileMode(0o666)
	if t.mode != nil {
		mode = 0o600 // until it has that of the old file, which may be a secret
	}
	err = c.do("create temporary file", t.Path, func() (err error) {
		f, err = os.OpenFile(t.Temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		return err
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	half := len(t.after) / 2 // so that a full disk between is tried, too
	for _, part := range [][]byte{t.after[:half], t.after[half:]} {
		if err := c.do("write", t.Path, func() error { _, err := f.Write(part); return err }); err != nil {
			return err
		}
	}
	if t.mode != nil {
		keepOwner(f, t.like, t.mode)
		kept := os.ModePerm | os.ModeSetuid | os.ModeSetgid | os.ModeSticky
		if err := c.do("set mode", t.Path, func() error { return f.Chmod(t.mode.Mode() & kept) }); err != nil {
			return err
		}
	}
	return c.do("sync", t.Path, f.Sync)
}

// place moves a target to what it is to be.
func (c *committer) place(t *target) error {
	if err := t.unseen(); err != nil {
		return err
	}
	if t.Temp != "" {
		touch(t.Temp) // it may have waited: who compares times must see that the file is new
	}
	switch {
	case t.After == "":
		return c.do("delete", t.Path, func() error { return replaceFile(t.Path, t.Backup) })
	case t.Before == "":
		err := c.do("create", t.Path, func() error { return moveNew(t.Temp, t.Path) })
		if errors.Is(err, fs.ErrExist) {
			return &ConflictError{t.Path, "it appeared meanwhile"}
		}
		return err
	}
	err := c.do("replace", t.Path, func() error { return replaceFile(t.Temp, t.Path) })
	if err != nil || t.Spelled == "" {
		return err
	}
	return c.do("spell", t.Path, func() error { return replaceFile(t.Path, t.Spelled) })
}

// moveNew moves a file to where nothing is. It does not overwrite what appears
// meanwhile, unless the file system has no links.
func moveNew(from, to string) error {
	err := os.Link(from, to)
	switch {
	case err == nil:
		return removeFile(from)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return &fs.PathError{Op: "create", Path: to, Err: fs.ErrExist}
	}
	return replaceFile(from, to)
}

// copyFile makes a new file with the content and mode of another, synced.
func copyFile(from, to string) (err error) {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	content, err := fspath.Read(from)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	keepOwner(f, from, info)
	if _, err := f.Write(content); err != nil {
		return err
	}
	return errors.Join(f.Chmod(info.Mode()), f.Sync())
}
