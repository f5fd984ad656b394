package edit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/fspath"
)

// A Report says what [Recover] did. Paths are absolute, sorted by commit.
type Report struct {
	// Undone are the files of commits that were undone, Finished those of commits that were
	// complete except for the removal of temporary files.
	Undone, Finished []string
	// Changed are files that somebody wrote after the commit; they were left as they are.
	Changed []ChangedFile
}

// A ChangedFile is a file that a recovery left alone. Kept is the path of a copy of its content
// before the commit, "" if there was none or it is not lost.
type ChangedFile struct {
	Path, Kept string
}

// Recover ends the commits that a process which died left unfinished in
// journalDir, if all their files are below the roots (absolute, with links
// resolved; no roots mean any): one that had not moved all of its files is
// undone, and temporary files are taken away. It waits for commits of living
// processes. What cannot be undone is an error that names it; the rest is done
// and the journal stays for the next time.
func Recover(ctx context.Context, journalDir string, roots ...string) (Report, error) {
	if _, err := os.Stat(journalDir); errors.Is(err, fs.ErrNotExist) {
		return Report{}, nil
	}
	unlock, err := lock(ctx, journalDir)
	if err != nil {
		return Report{}, err
	}
	defer unlock()
	return new(committer).recoverLocked(journalDir, roots)
}

// recoverLocked needs the lock, so that every journal is of a dead process.
func (c *committer) recoverLocked(journalDir string, roots []string) (Report, error) {
	var report Report
	journals, err := readJournals(journalDir)
	for _, j := range journals {
		if !j.within(roots) {
			continue
		}
		if j.phase == decided {
			for _, m := range j.Moves {
				report.Finished = append(report.Finished, m.Path)
			}
			c.finish(j)
			continue
		}
		phase := j.phase
		changed, failed := c.rollBack(j)
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("an edit that was interrupted could not be undone: %w", failed))
		}
		report.Changed = append(report.Changed, changed...)
		for _, m := range j.Moves {
			alone := func(f ChangedFile) bool { return f.Path == m.Path }
			if phase == moving && !slices.ContainsFunc(changed, alone) {
				report.Undone = append(report.Undone, m.Path)
			}
		}
	}
	return report, err
}

func (j *journal) within(roots []string) bool {
	for _, m := range j.Moves {
		inside := func(root string) bool { return below(root, m.Path) }
		if len(roots) > 0 && !slices.ContainsFunc(roots, inside) {
			return false
		}
	}
	return true
}

// finish takes away what a decided commit left. What cannot be taken away now
// is left, with the journal, to a recovery.
func (c *committer) finish(j *journal) {
	var failed error
	for _, m := range j.Moves {
		failed = errors.Join(failed, c.discard(m.Path, m.Temp), c.discard(m.Path, m.Backup))
	}
	for _, dir := range j.Removed {
		_ = removeFile(dir) // unless somebody put something there
	}
	if failed == nil {
		_ = c.do("drop journal", j.dir, j.drop)
	}
}

// discard takes away a temporary file, if there is one.
func (c *committer) discard(path, temp string) error {
	if temp == "" {
		return nil
	}
	return c.do("remove temporary file", path, func() error {
		if err := removeFile(temp); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// rollBack undoes a commit that is not decided: after it the files are as
// before, but for those that somebody changed since. If something fails the
// rest is still undone, and the journal stays.
func (c *committer) rollBack(j *journal) (changed []ChangedFile, failed error) {
	for i, m := range slices.Backward(j.Moves) {
		var err error
		if j.phase == moving {
			err = c.restore(j, i, &changed)
		}
		if err == nil {
			err = errors.Join(c.discard(m.Path, m.Temp), c.discard(m.Path, m.Backup))
		}
		failed = errors.Join(failed, err)
	}
	for _, dir := range slices.Backward(j.Made) {
		// It stays if somebody put something there.
		_ = c.do("remove folder", dir, func() error { return removeFile(dir) })
	}
	if failed == nil {
		failed = c.do("drop journal", j.dir, j.drop)
	}
	return changed, failed
}

// restore brings one file back, unless somebody changed it.
func (c *committer) restore(j *journal, i int, changed *[]ChangedFile) error {
	m := j.Moves[i]
	if m.Spelled != "" && m.done() {
		err := c.do("spell", m.Path, func() error { return replaceFile(m.Spelled, m.Path) })
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // it has its old name
			return err
		}
	}
	now, err := hashOf(m.Path)
	switch {
	case err != nil:
		return err
	case now == m.Before, !m.done():
		return nil // what is there is not ours
	case now != m.After:
		kept, err := j.keep(i)
		if err == nil {
			*changed = append(*changed, ChangedFile{m.Path, kept})
		}
		return err
	case m.Before == "":
		return c.do("take back", m.Path, func() error { return removeFile(m.Path) })
	case m.After == "":
		touch(m.Backup)
		return c.do("bring back", m.Path, func() error { return moveNew(m.Backup, m.Path) })
	case m.Backup == "":
		return nil // the one file of its commit, replaced at once
	}
	touch(m.Backup)
	return c.do("put back", m.Path, func() error { return replaceFile(m.Backup, m.Path) })
}

// touch makes now the time of the last change of a file that goes back, if it can. With
// the old time a build that read what stood there between would take it for known.
func touch(path string) { _ = os.Chtimes(path, time.Time{}, time.Now()) }

// done reports whether the move was made: the file is at its backup, or the
// new one no longer at its temporary place alone.
func (m move) done() bool {
	if m.After == "" {
		_, err := os.Lstat(m.Backup)
		return err == nil
	}
	temp, err := os.Lstat(m.Temp)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	info, failed := os.Lstat(m.Path)
	return err == nil && failed == nil && os.SameFile(temp, info)
}

// keep saves the content before the commit of a file that somebody changed
// after it, beside the journal.
func (j *journal) keep(i int) (kept string, err error) {
	m := j.Moves[i]
	if _, err := os.Lstat(m.Backup); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	kept = filepath.Join(j.dir, fmt.Sprintf("kept-%s-%d-%s", j.id, i, filepath.Base(m.Path)))
	if err := copyFile(m.Backup, kept); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("keeping what %s was: %w", m.Path, err)
	}
	return kept, nil
}

// hashOf returns the hash of a file, "" if there is none. A folder or link in
// its place has a hash like nothing else.
func hashOf(path string) (string, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "no file", nil
	}
	content, err := fspath.Read(path)
	return Hash(content), err
}
