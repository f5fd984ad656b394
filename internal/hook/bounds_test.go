package hook

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// The texts from before that a session remembers have a bound together: one that fills it is
// kept, and what comes after it is not.
func TestBoundOfTextsFromBefore(t *testing.T) {
	half, more := strings.Repeat("x", maxBefore/2), "x"
	m := &memory{Before: make(map[string]string)}
	m.recordChange("a", &half)
	m.recordChange("b", &half)
	m.recordChange("c", &more)
	m.recordChange("a", &more) // what it was first counts
	m.recordChange("d", nil)
	got := make(map[string]int)
	for path, text := range m.Before {
		got[path] = len(text)
	}
	if diff := cmp.Diff(map[string]int{"a": maxBefore / 2, "b": maxBefore / 2}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a", "b", "c", "d"}, m.Touched); diff != "" {
		t.Error(diff)
	}
}

// A log that is too long begins anew, and the former one is kept; a short one goes on.
func TestLogBeginsAnew(t *testing.T) {
	for name, c := range map[string]struct {
		size int
		anew bool
	}{"full": {maxLog, false}, "too long": {maxLog + 1, true}} {
		o := &Options{State: t.TempDir()}
		file := filepath.Join(o.State, "hook.log")
		former := strings.Repeat("x", c.size-1) + "\n"
		if err := os.WriteFile(file, []byte(former), 0o600); err != nil {
			t.Fatal(err)
		}
		o.log(errors.New("no\nanswer"))
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		line, continued := strings.CutPrefix(string(text), former)
		if continued == c.anew || !strings.HasSuffix(line, " no; answer\n") {
			t.Errorf("%s: it goes on: %t; it ends with %.60q", name, continued, line)
		}
		old, err := os.ReadFile(file + ".old")
		if (err == nil) != c.anew || c.anew && string(old) != former {
			t.Errorf("%s: the former log: %v, %d bytes", name, err, len(old))
		}
	}
}

// A line of the log is cut where it is too long, and stays one.
func TestLinesOfTheLogAreCut(t *testing.T) {
	o := &Options{State: t.TempDir()}
	o.log(errors.New(strings.Repeat("ä\n", maxLine)))
	text, err := os.ReadFile(filepath.Join(o.State, logName))
	if line := string(text); err != nil || strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "…\n") || len(line) > maxLine+40 {
		t.Errorf("%d bytes, %v: %.60q", len(text), err, text)
	}
}

// A file is named to an agent as it names files: from its own folder, by its whole path where
// it is not below that.
func TestHowFilesAreShown(t *testing.T) {
	r := &report{root: lsptest.Rooted("/home/you/shop"), dir: lsptest.Rooted("/home/you/shop/app")}
	for path, want := range map[string]string{
		"app/a.toy": "a.toy", "/home/you/shop/app/sub/b.toy": "sub/b.toy", "lib.toy": "/home/you/shop/lib.toy", "/other/c.toy": "/other/c.toy",
	} {
		if strings.HasPrefix(path, "/") {
			path = lsptest.Rooted(path)
		}
		if got := lsptest.Slashed(r.shown(path)); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// A text that is too long ends with a whole line and says how many more there were; one that fits,
// or has no bound, is left alone.
func TestTextsAreCutAtLines(t *testing.T) {
	line := func(letter string) string { return strings.Repeat(letter, 39) + "\n" }
	text := line("a") + line("b") + line("c") + line("d")
	const room = len("... and 1000000 more lines\n")
	for max, want := range map[int]string{
		0: text, 160: text, 159: line("a") + line("b") + line("c") + "... and 1 more lines\n",
		80 + room: line("a") + line("b") + "... and 2 more lines\n", 79 + room: line("a") + "... and 3 more lines\n", 1: "... and 4 more lines\n",
	} {
		if got := cutAtLine(text, max); got != want {
			t.Errorf("within %d bytes:\n%s", max, got)
		}
	}
}

// Long reports are cut at a line, and say how much is missing; of many broken files some
// are named.
func TestBounds(t *testing.T) {
	p := newPlace(t)
	p.write("a.go", "a new text")
	p.o.MaxBytes = 120
	for i := range uint32(12) {
		p.answer.Others = append(p.answer.Others, fileWith(string(rune('b'+i))+".go", result.NewErrors, fresh(i, "x")))
	}
	p.answer.Files = []result.File{fileWith("a.go", result.NewErrors, fresh(1, strings.Repeat("x", 50)), fresh(2, "y"), fresh(3, "z"))}
	p.says(editedA, "a.go:1:1: error: "+strings.Repeat("x", 50)+"\na.go:2:1: error: y\n... and 2 more lines\n")
	p = newPlace(t)
	p.write("a.go", "a new text")
	for i := range uint32(12) {
		p.answer.Others = append(p.answer.Others, fileWith(string(rune('b'+i))+".go", result.NewErrors, fresh(i, "x")))
	}
	p.says(editedA, "also broken now: b.go (1), c.go (1), d.go (1), e.go (1), f.go (1), g.go (1), h.go (1), i.go (1), j.go (1), k.go (1), and 2 more\n")
}
