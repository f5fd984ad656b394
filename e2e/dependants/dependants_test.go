package dependants

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// What the answer to an edit reports as broken and fixed is what the compiler reports; undoing the
// edit fixes what it broke and breaks nothing.
func TestDependants(t *testing.T) {
	outcome := newTable()
	t.Run("servers", func(t *testing.T) {
		for _, l := range languages {
			if _, known := registry.Builtin().Get(l.server); !known {
				continue
			}
			t.Run(l.server+"/"+l.archive, func(t *testing.T) {
				t.Parallel()
				lsptest.Require(t, l.server)
				tr := plant(t, l)
				before := tr.ask(t)
				for _, c := range tr.cases {
					t.Run(c.name, func(t *testing.T) { outcome.set(c.name, l.server, tr.try(t, c, before)) })
				}
			})
		}
	})
	outcome.compare(t)
}

// gaps are cases in which a server does not say all that the compiler does, and why.
// The table shows them.
var gaps = map[[2]string]string{
	{"jdtls", "declared twice"}: "only jdtls' build reports a class that two files declare, in the file that it built later (javac: in the other), and only while that file is not open",
}

// try makes a change and takes it back, and returns what the table says of it.
func (tr *tree) try(t *testing.T, c change, before findings) string {
	tr.gap = gaps[[2]string{tr.server, c.name}]
	began := time.Now()
	result := tr.edit(t, api.FileEdit{Patch: c.patch})
	took := time.Since(began)
	after := tr.ask(t)
	cell := tr.compare(t, "edit", result, before, after)
	back := tr.edit(t, tr.undo(result)...)
	tr.asItWas(t)
	tr.compare(t, "undo", back, after, before)
	t.Logf("%s: %s in %v", c.name, cell, took.Round(time.Millisecond))
	return cell
}

// compare compares what an answer says is new and fixed with the truth, and returns
// found/expected for files and, where they can be compared, for errors.
func (tr *tree) compare(t *testing.T, what string, result result.Edit, before, after findings) string {
	t.Helper()
	want, mended := after.beyond(before), before.beyond(after)
	found, fixed := listed(result)
	for _, c := range result.Changes { // nobody asks about what is gone
		if c.Deleted || c.From != "" {
			for _, gone := range []string{c.Path, c.From} {
				delete(mended, gone)
				delete(fixed, gone)
			}
		}
	}
	said := admitted(result)
	differ := func(kind string, got, want map[string]int) {
		if tr.gap != "" {
			return
		}
		for _, file := range slices.Sorted(maps.Keys(want)) {
			if got[file] == 0 && said == "" {
				t.Errorf("%s: %s in %s: %v are missed\n%s\nothers %+v\nlate %+v\nunknown %q, state %q, dependants %+v", what, kind, file, after[file], render.Brief(&result), result.Others, result.Late, result.Unknown, result.State, result.Dependants)
			} else if tr.counts && got[file] != want[file] && got[file] > 0 {
				t.Errorf("%s: %d %s in %s, want %d: %v\n%s", what, got[file], kind, file, want[file], after[file], render.Brief(&result))
			}
		}
		for _, file := range slices.Sorted(maps.Keys(got)) {
			if want[file] == 0 && (tr.counts || !after.concerns(file, before)) {
				t.Errorf("%s: %d %s in %s are none\n%s", what, got[file], kind, file, render.Brief(&result))
			}
		}
	}
	differ("new errors", found, want)
	differ("fixed errors", fixed, mended)
	maps.DeleteFunc(found, func(file string, _ int) bool { return !tr.counts && want[file] == 0 && after.concerns(file, before) })
	cell := fmt.Sprintf("%d/%d", len(found), len(want))
	if tr.counts {
		cell += fmt.Sprintf(" (%d/%d)", sum(found), sum(want))
	}
	if tr.gap != "" {
		said += ", known gap"
	}
	return cell + said
}

// listed returns how many errors an answer calls new and fixed, by file.
func listed(result result.Edit) (found, fixed map[string]int) {
	found, fixed = make(map[string]int), make(map[string]int)
	for _, f := range slices.Concat(result.Files, result.Others) {
		if n := len(f.Diagnostics); n > 0 {
			found[f.Path] += n
		}
		if n := len(f.Fixed); n > 0 {
			fixed[f.Path] += n
		}
	}
	return found, fixed
}

// admitted returns what an answer itself says that it does not know.
func admitted(result result.Edit) string {
	if n := len(result.Dependants.Unchecked); n > 0 {
		return ", list cut"
	}
	for _, f := range result.Files {
		for _, a := range f.Servers {
			if a.Freshness != "fresh" {
				return ", rest not known"
			}
		}
	}
	for _, note := range slices.Concat(result.Notes, result.Unknown, result.State) {
		if strings.Contains(note, "not known") || strings.Contains(note, "could not be judged") || strings.Contains(note, "loading") {
			return ", rest not known"
		}
	}
	return ""
}

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}
