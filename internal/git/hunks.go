package git

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// A Hunk is a part of a file that a diff changes: Count lines beginning with the 1-based line
// Start. If Count is 0, lines were deleted after line Start.
type Hunk struct {
	Start, Count int
}

// A FileChange is what a diff changes in one file.
type FileChange struct {
	// Path is absolute. Deleted says that the file is gone.
	Path    string
	Deleted bool
	// Whole says that all of the file is new; Hunks are then empty.
	Whole bool
	Hunks []Hunk
	// Unread is why it is not known what is changed, "" if it is: Path is then a submodule.
	Unread string
}

// Changes returns what changed below the root in a range of git, sorted by path.
// A single revision means: since then, uncommitted changes and untracked files
// included; "A..B" and "A...B" mean commits, with the lines where they stand in
// the files of now.
func (co *Checkout) Changes(ctx context.Context, span string) ([]FileChange, error) {
	if strings.HasPrefix(span, "-") || strings.ContainsAny(span, " \t\n\x00:") || span == "" {
		return nil, &Error{[]string{"diff", span}, "that is no revision and no range of revisions"}
	}
	from, to, isRange := strings.Cut(span, "..")
	changes, err := co.diff(ctx, span)
	if err != nil && span == "HEAD" && co.unborn(ctx) {
		return co.allNew(ctx)
	}
	if err != nil {
		return nil, err
	}
	if !isRange {
		if changes, err = co.withUntracked(ctx, changes); err != nil {
			return nil, err
		}
		inside := inSubmodules(ctx, co, span, func(there *Checkout, base string) ([]FileChange, error) { return there.Changes(ctx, base) })
		changes = append(changes, slices.Concat(inside...)...)
		slices.SortFunc(changes, func(a, b FileChange) int { return strings.Compare(a.Path, b.Path) })
		return changes, ctx.Err()
	}
	to, sinceFork := strings.CutPrefix(to, ".")
	from, to = cmp.Or(from, "HEAD"), cmp.Or(to, "HEAD")
	since, err := co.rawDiff(ctx, to)
	if err != nil {
		return nil, err
	}
	for i := range changes {
		changes[i].follow(since[changes[i].Path])
	}
	if sinceFork {
		fork, err := co.git(ctx, "merge-base", from, to)
		if err != nil {
			return nil, err
		}
		from = strings.TrimSpace(string(fork))
	}
	changes = append(changes, co.changesOfSubmodules(ctx, from, to)...)
	slices.SortFunc(changes, func(a, b FileChange) int { return strings.Compare(a.Path, b.Path) })
	return changes, ctx.Err()
}

// allNew returns every file as a new one.
func (co *Checkout) allNew(ctx context.Context) ([]FileChange, error) {
	files, err := co.AllFiles(ctx)
	var changes []FileChange
	for _, path := range files {
		changes = append(changes, FileChange{Path: path, Whole: true})
	}
	return changes, err
}

func (co *Checkout) withUntracked(ctx context.Context, changes []FileChange) ([]FileChange, error) {
	untracked, err := co.git(ctx, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	for _, path := range co.absolute(untracked) {
		changes = append(changes, FileChange{Path: path, Whole: true})
	}
	slices.SortFunc(changes, func(a, b FileChange) int { return strings.Compare(a.Path, b.Path) })
	return changes, nil
}

// A move is a hunk of a diff with both its sides.
type move struct {
	old, new Hunk
	// created and deleted are of the whole file.
	created, deleted bool
}

func (co *Checkout) diff(ctx context.Context, span string) ([]FileChange, error) {
	moves, err := co.rawDiff(ctx, span)
	if err != nil {
		return nil, err
	}
	var changes []FileChange
	for path, list := range moves {
		c := FileChange{Path: path}
		for _, m := range list {
			c.Deleted = c.Deleted || m.deleted
			c.Whole = c.Whole || m.created
			c.Hunks = append(c.Hunks, m.new)
		}
		if c.Whole || c.Deleted {
			c.Hunks = nil
		}
		changes = append(changes, c)
	}
	slices.SortFunc(changes, func(a, b FileChange) int { return strings.Compare(a.Path, b.Path) })
	return changes, nil
}

var hunkHead = lazyregexp.New(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// rawDiff returns the hunks of each file that differs, whatever the user's
// configuration would make of a diff.
func (co *Checkout) rawDiff(ctx context.Context, span string) (map[string][]move, error) {
	output, err := co.git(ctx, "diff", "--unified=0", "--inter-hunk-context=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames",
		"--relative", "--ignore-submodules", "--src-prefix=a/", "--dst-prefix=b/", span, "--")
	if err != nil {
		return nil, err
	}
	moves := make(map[string][]move)
	from, path, skip := "", "", 0
	for line := range strings.Lines(string(output)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case skip > 0 && (strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+")):
			skip--
		case strings.HasPrefix(line, "--- "):
			from = co.diffPath(line[len("--- "):])
		case strings.HasPrefix(line, "+++ "):
			if path = co.diffPath(line[len("+++ "):]); path == "" {
				moves[from] = append(moves[from], move{deleted: true})
			}
		default:
			m := hunkHead.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			change := move{old: hunk(m[1], m[2]), new: hunk(m[3], m[4]), created: from == ""}
			skip = change.old.Count + change.new.Count
			if path != "" {
				moves[path] = append(moves[path], change)
			}
		}
	}
	return moves, nil
}

func hunk(start, count string) Hunk {
	h := Hunk{Count: 1}
	h.Start, _ = strconv.Atoi(start) // the pattern has digits alone
	if count != "" {
		h.Count, _ = strconv.Atoi(count)
	}
	return h
}

// diffPath returns the path in a header line of a diff, or "" for /dev/null.
func (co *Checkout) diffPath(name string) string {
	name = fspath.FromGit(strings.TrimSuffix(name, "\t"))
	if len(name) < 2 || name == "/dev/null" {
		return ""
	}
	return filepath.Join(co.root, filepath.FromSlash(name[len("a/"):]))
}

// follow moves the hunks to where their lines are after later changes.
func (c *FileChange) follow(later []move) {
	for i := range c.Hunks {
		h := &c.Hunks[i]
		shift := 0
		for _, m := range later {
			if m.deleted {
				c.Deleted = true
			}
			if end := m.old.Start + max(m.old.Count, 1) - 1; end < h.Start {
				shift += m.new.Count - m.old.Count
			}
		}
		h.Start = max(h.Start+shift, 0)
	}
}

// String shows a hunk as a diff does.
func (h Hunk) String() string { return fmt.Sprintf("+%d,%d", h.Start, h.Count) }
