// Command house measures how the code is built: inside each room, how many arrows between
// its files run back up; its lines, widest structs, deepest embedding, exported names.
//
//	go run ./internal/house                  # this checkout
//	go run ./internal/house -against v1.2.0  # beside that revision
//	go run ./internal/house -room lsp        # the arrows of a room that run back up
//
// It only reads.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

func main() {
	against := flag.String("against", "", "a revision to compare with")
	room := flag.String("room", "", "list the arrows of this room that run back up, with the names that cause them")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := report(ctx, os.Stdout, *against, *room); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

func report(ctx context.Context, out io.Writer, against, room string) error {
	now, err := measure(ctx, ".")
	if err != nil {
		return err
	}
	if room != "" {
		return writeArrows(out, now, room)
	}
	if against == "" {
		return writeTable(out, now, nil)
	}
	before, err := measureRevision(ctx, against)
	if err != nil {
		return err
	}
	return writeTable(out, now, before)
}

// measureRevision measures a revision in a worktree of git's that it removes again.
func measureRevision(ctx context.Context, revision string) (_ *house, err error) {
	dir, err := os.MkdirTemp("", "house")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	tree := filepath.Join(dir, "tree")
	if out, err := exec.CommandContext(ctx, "git", "worktree", "add", "--detach", tree, revision).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("git worktree add: %w: %s", err, out)
	}
	defer func() {
		err = errors.Join(err, exec.CommandContext(context.WithoutCancel(ctx), "git", "worktree", "remove", "--force", tree).Run())
	}()
	return measure(ctx, tree)
}

// writeArrows lists the arrows of a room that run back up.
func writeArrows(out io.Writer, h *house, name string) error {
	at := slices.IndexFunc(h.rooms, func(r room) bool { return r.name == name })
	if at < 0 {
		return fmt.Errorf("-room %s: there is no such room below internal", name)
	}
	r := h.rooms[at]
	fmt.Fprintf(out, "%s, from the door down:\n  %s\n%d of %d arrows run back up:\n", name, strings.Join(r.order, " "), len(r.back), r.arrows)
	for _, a := range r.back {
		fmt.Fprintf(out, "  %s -> %s: %s\n", a.from, a.to, strings.Join(a.names, ", "))
	}
	return nil
}

// writeTable writes the figures of all rooms, and beside each that of before, unless before is nil.
func writeTable(out io.Writer, now, before *house) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "room\tarrows\tback up\tlines\tof tests\texported\twidest struct\tembedding")
	old := make(map[string]room)
	if before != nil {
		for _, r := range before.rooms {
			old[r.name] = r
		}
	}
	pair := func(now, was any, known bool) string {
		if !known || now == was {
			return fmt.Sprint(now)
		}
		return fmt.Sprintf("%v (%v)", now, was)
	}
	rooms := slices.SortedFunc(slices.Values(now.rooms), func(a, b room) int { return cmp.Compare(b.lines, a.lines) })
	for _, r := range rooms {
		o, known := old[r.name]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.name, pair(r.arrows, o.arrows, known), pair(r.backShare(), o.backShare(), known),
			pair(r.lines, o.lines, known), pair(r.testLines, o.testLines, known), pair(r.exported, o.exported, known),
			pair(r.widest, o.widest, known), pair(r.depth, o.depth, known))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	var o total
	if before != nil {
		o = before.total
	}
	known := before != nil
	_, err := fmt.Fprintf(out, "\nlines of product %s, of tests %s (longer than %d columns: %s)\nfunctions with a name of one lower-case word: %s\nfiles of tests that see the inside of their room: %s of %s\n",
		pair(now.total.lines, o.lines, known), pair(now.total.testLines, o.testLines, known), columns, pair(now.total.long, o.long, known),
		pair(now.total.oneWord, o.oneWord, known), pair(now.total.insideTests, o.insideTests, known), pair(now.total.testFiles, o.testFiles, known))
	return err
}
