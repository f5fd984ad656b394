package git

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
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
func (co *Checkout) ChangesSince(ctx context.Context, revision string) (Changes, error) {
	if strings.HasPrefix(revision, "-") {
		return Changes{}, &Error{[]string{"diff", revision}, "a revision does not begin with -: " + revision}
	}
	listed, err := co.git(ctx, "diff", "--raw", "--no-abbrev", "-z", "--relative", "--find-renames", revision, "--")
	if err != nil && revision == "HEAD" && co.unborn(ctx) {
		all, err := co.AllFiles(ctx)
		return Changes{Present: all}, err
	}
	if err != nil {
		return Changes{}, err
	}
	untracked, err := co.git(ctx, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return Changes{}, err
	}
	c := co.decodeChanges(ctx, string(listed))
	c.Present = append(c.Present, co.absolute(untracked)...)
	// What was deleted from the index alone is untracked as well.
	c.Deleted = slices.DeleteFunc(c.Deleted, func(path string) bool { return slices.Contains(c.Present, path) })
	slices.Sort(c.Present)
	slices.Sort(c.Deleted)
	return co.withSubmodules(ctx, revision, c)
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

// withoutSame returns changes without those of files that git diff lists although they are as they were: only their times are
// others than in git's index. Where that cannot be found out they stay.
func (co *Checkout) withoutSame(ctx context.Context, changes []rawChange) []rawChange {
	var doubtful []rawChange
	for _, c := range changes {
		if c.status == 'M' && c.fromMode == c.toMode && strings.HasPrefix(c.fromMode, "100") && strings.Trim(c.to, "0") == "" {
			doubtful = append(doubtful, c)
		}
	}
	same := make(map[string]bool)
	// The names are arguments, as they would be below the root of the checkout on standard input.
	for some := range slices.Chunk(doubtful, 500) {
		arguments := []string{"hash-object", "--"}
		for _, c := range some {
			arguments = append(arguments, c.path)
		}
		ids, err := co.git(ctx, arguments...)
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
	return slices.DeleteFunc(changes, func(c rawChange) bool { return same[c.path] })
}

// decodeChanges reads the output of git diff --raw -z.
func (co *Checkout) decodeChanges(ctx context.Context, listed string) Changes {
	c := Changes{Renamed: make(map[string]string)}
	absolute := func(path string) string { return filepath.Join(co.root, filepath.FromSlash(path)) }
	for _, raw := range co.withoutSame(ctx, decodeRaw(listed)) {
		path := absolute(raw.path)
		switch raw.status {
		case 'D':
			c.Deleted = append(c.Deleted, path)
		case 'R':
			was := absolute(raw.was)
			c.Present, c.Deleted, c.Renamed[path] = append(c.Present, path), append(c.Deleted, was), was
		default:
			c.Present = append(c.Present, path)
		}
	}
	return c
}
