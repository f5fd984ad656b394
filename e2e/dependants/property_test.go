package dependants

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// Few rounds, unless more are asked for by -rapid.checks.
func init() {
	for name, value := range map[string]string{"rapid.checks": "2", "rapid.nofailfile": "true", "rapid.shrinktime": "20s"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
}

// A dialect is how to make mistakes in a language.
type dialect struct {
	ending, comment string
	// judged are the endings of the files that a mistake can break, ending among them.
	judged []string
	// wrong is a line with an error, with a number in its name.
	wrong string
	types []string
}

var dialects = map[string]dialect{
	"gopls":      {".go", "// a comment", []string{".go"}, "var wrong%d int = \"x\"", []string{"int", "string", "error"}},
	"typescript": {".ts", "// a comment", []string{".ts", ".tsx"}, "export const wrong%d: number = \"x\";", []string{"number", "string", "boolean"}},
	"pyright":    {".py", "# a comment", []string{".py"}, "wrong%d: int = \"x\"", []string{"int", "str", "bool"}},
}

// Whatever is done to files that have errors already, in several at once: what an
// edit says is new is what a full analysis after it finds and one before it did not,
// by file, kind and count. What only moved is not new.
func TestRandomEdits(t *testing.T) {
	for _, l := range languages {
		d, ok := dialects[l.server]
		if !ok || l.archive == "workspace" || l.archive == "packages" {
			continue
		}
		t.Run(l.server, func(t *testing.T) {
			t.Parallel()
			lsptest.Require(t, l.server)
			tr := plant(t, l)
			o := &oracle{tree: tr, engine: openEngine(t, tr.root, l.server)}
			base := maps.Clone(tr.files)
			before := o.look(t)
			round := func(r *rapid.T, what string, change map[string]string) {
				result := tr.edit(t, writes(change)...)
				after := o.look(t)
				wrong := disagree(result, before, after, lost(result, tr.files, change))
				maps.Copy(tr.files, change)
				if wrong != "" {
					r.Errorf("%s:\n%s\n%s", what, wrong, render.Brief(&result))
				}
				before = after
			}
			rapid.Check(t, func(r *rapid.T) {
				if change := differing(base, tr.files); len(change) > 0 {
					round(r, "back to the beginning", change)
				}
				for range rapid.IntRange(3, 5).Draw(r, "edits") {
					change, what := d.draw(r, tr.files)
					if change = differing(change, tr.files); len(change) > 0 {
						round(r, what, change)
					}
				}
			})
		})
	}
}

// differing returns what of wanted is not so.
func differing(wanted, present map[string]string) map[string]string {
	change := make(map[string]string)
	for name, text := range wanted {
		if present[name] != text {
			change[name] = text
		}
	}
	return change
}

func writes(change map[string]string) (edits []api.FileEdit) {
	for _, name := range slices.Sorted(maps.Keys(change)) {
		text := change[name]
		edits = append(edits, api.FileEdit{File: name, Content: &text})
	}
	return edits
}

// An oracle is an engine of its own that looks at every file.
type oracle struct {
	*tree
	engine *engine.Engine
}

func (o *oracle) look(t *testing.T) findings {
	t.Helper()
	req := api.CheckRequest{TimeoutMS: 60_000}
	for _, name := range slices.Sorted(maps.Keys(o.files)) {
		if slices.Contains(dialects[o.server].judged, filepath.Ext(name)) {
			req.Files = append(req.Files, name)
		}
	}
	result, err := api.Check.Do(t.Context(), o.engine, req)
	if err != nil {
		t.Fatal(err)
	}
	found := make(findings)
	for _, f := range result.Files {
		if f.Error != nil || f.Verdict == "lsp_unavailable" || f.Verdict == "unknown" {
			t.Fatalf("%s is not known: %+v", f.Path, f)
		}
		for _, d := range f.Diagnostics {
			found.add(f.Path, kind(d.Code, d.Message))
		}
	}
	return found
}

var (
	digits = regexp.MustCompile(`\d+`)
	path   = regexp.MustCompile(`"(?:\w+/)*(\w+)"\.`)
	meant  = regexp.MustCompile(`\. Did you mean [^?]*\?`)
)

// plain returns a message without its numbers: lines it speaks of move, too. Two
// type checkers that got to the same text by different ways do not agree on whether to
// name a Go package by its path. And what may have been meant instead may be there no more.
func plain(message string) string {
	return digits.ReplaceAllString(path.ReplaceAllString(meant.ReplaceAllString(message, "."), "$1."), "#")
}

// kind is what counts as the same error: one of the same code that stands where it stood is no new one,
// whatever it now says. What has no code is told by its message.
func kind(code, message string) string {
	if code == "" {
		return plain(message)
	}
	return cmp.Or(suggesting[code], code)
}

// suggesting are the codes that TypeScript gives to an error when it suggests something, by the code that it has otherwise.
var suggesting = map[string]string{"2551": "2339", "2552": "2304", "2724": "2305", "2820": "2322", "2833": "2503"}

// lost are the findings that an answer lists as fixed because the line they were said
// of was taken out, or stands where nothing new is said. A parser says of the next word
// that something is wrong before it; when that word goes, or moves with its paragraph, it
// says so of another, in a line that nobody touched. The answer lists that as new and the
// one before as fixed, as it cannot tell them from two; by counts nothing would be new.
func lost(answer result.Edit, texts, change map[string]string) findings {
	gone := make(findings)
	for _, f := range answer.Files {
		lines := edit.NewLineMap([]byte(texts[f.Path]), []byte(change[f.Path]))
		for _, d := range f.Fixed {
			at, stands := lines.Line(int(d.Line) - 1)
			said := slices.ContainsFunc(f.Diagnostics, func(now result.Diagnostic) bool {
				return int(now.Line)-1 == at && kind(now.Code, now.Message) == kind(d.Code, d.Message)
			})
			if !stands || !said {
				gone.add(f.Path, kind(d.Code, d.Message))
			}
		}
	}
	return gone
}

// isUncompared reports whether an answer says of a file that it is not known what was wrong with it before, so that all counts as new: where
// there was no time to ask for that.
func isUncompared(answer result.Edit, file string) bool {
	return slices.Contains(answer.Notes, "what was wrong in "+file+" before the edit is not known: all of it counts as new")
}

// disagree says in what an answer and the analyses do.
func disagree(result result.Edit, before, after, lost findings) string {
	said := make(findings)
	for _, f := range slices.Concat(result.Files, result.Others) {
		for _, d := range f.Diagnostics {
			said.add(f.Path, kind(d.Code, d.Message))
		}
	}
	var wrong []string
	note := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for _, file := range slices.Sorted(maps.Keys(after)) {
		for message, n := range after[file] {
			unseen := max(0, n-before[file][message])
			if got := said[file][message]; got < unseen && admitted(result) == "" {
				note("missed in %s, %d of %d: %s", file, unseen-got, unseen, message)
			} else if got > unseen+lost[file][message] && !isUncompared(result, file) {
				note("not new in %s, %d of %d: %s", file, got-unseen, got, message)
			}
		}
	}
	for file, messages := range said {
		for message, n := range messages {
			if after[file][message] == 0 {
				note("invented in %s, %d: %s", file, n, message)
			}
		}
	}
	return strings.Join(wrong, "\n")
}

// A finding that is listed as fixed and as new counts as both only if its old line is
// gone: one that merely moved is not new.
func TestLost(t *testing.T) {
	old := map[string]string{"a.py": "one\ntwo\nthree\n"}
	at := func(line uint32) []result.Diagnostic { return []result.Diagnostic{{Line: line, Message: "odd"}} }
	both := findings{"a.py": {"odd": 1}}
	for _, tt := range []struct {
		name, now string
		was, is   uint32
		fine      bool
	}{
		{"its line was taken out", "one\nthree\n", 2, 2, true},
		{"it moved", "zero\none\ntwo\nthree\n", 2, 3, false},
		{"its line was taken out, and the first one says it", "one\nthree\n", 2, 1, true},
		{"its line moved without it", "three\none\ntwo\n", 2, 1, true},
	} {
		result := result.Edit{Files: []result.File{{Path: "a.py", Diagnostics: at(tt.is), Fixed: at(tt.was)}}}
		wrong := disagree(result, both, both, lost(result, old, map[string]string{"a.py": tt.now}))
		if fine := wrong == ""; fine != tt.fine {
			t.Errorf("%s: %q", tt.name, wrong)
		}
	}
}

// draw returns new texts of one to three files, and what was done.
func (d dialect) draw(r *rapid.T, files map[string]string) (change map[string]string, what string) {
	change = make(map[string]string)
	var names []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if filepath.Ext(name) == d.ending && files[name] != "" {
			names = append(names, name)
		}
	}
	for range rapid.IntRange(1, 3).Draw(r, "files") {
		name := rapid.SampledFrom(names).Draw(r, "file")
		text, ok := change[name]
		if !ok {
			text = files[name]
		}
		text, done := d.mutate(r, text)
		change[name] = text
		what += name + ": " + done + "; "
	}
	return change, what
}

var word = regexp.MustCompile(`[A-Za-z_]\w{2,}`)

// mutate changes a text in one way.
func (d dialect) mutate(r *rapid.T, text string) (string, string) {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	at := rapid.IntRange(0, len(lines)-1).Draw(r, "line")
	switch kind := rapid.SampledFrom([]string{"comment", "comment", "delete", "blocks", "rename", "rename all", "type", "wrong", "wrong above", "right"}).Draw(r, "kind"); kind {
	case "comment":
		lines = slices.Insert(lines, at, d.comment+"\n")
	case "delete":
		lines = slices.Delete(lines, at, at+1)
	case "blocks":
		blocks := strings.Split(strings.TrimSuffix(text, "\n"), "\n\n")
		i := rapid.IntRange(0, len(blocks)-1).Draw(r, "block")
		blocks[i], blocks[len(blocks)-1] = blocks[len(blocks)-1], blocks[i]
		return strings.Join(blocks, "\n\n") + "\n", kind
	case "rename", "rename all", "type":
		words := word.FindAllString(lines[at], -1)
		// Of two packages in one folder gopls says what `go list` happens to name: this or that file.
		if len(words) == 0 || strings.HasPrefix(lines[at], "package ") {
			return text, "nothing"
		}
		old := rapid.SampledFrom(words).Draw(r, "word")
		now := old + "X"
		if kind == "type" {
			now = rapid.SampledFrom(d.types).Draw(r, "type")
		}
		whole := regexp.MustCompile(`\b` + old + `\b`)
		if kind == "rename all" {
			return whole.ReplaceAllString(text, now), kind + " " + old
		}
		lines[at] = whole.ReplaceAllString(lines[at], now)
		return joined(lines), fmt.Sprintf("%s %s to %s in line %d", kind, old, now, at+1)
	case "wrong":
		lines = append(lines, "\n"+fmt.Sprintf(d.wrong, at)+"\n")
	case "wrong above": // in the middle it is wrong in other ways, too
		lines = slices.Insert(lines, at, fmt.Sprintf(d.wrong, at)+"\n")
	case "right":
		lines = slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, "wrong") })
	}
	return joined(lines), fmt.Sprintf("something at line %d", at+1)
}

// joined puts lines together, of which the last may have had no end.
func joined(lines []string) string {
	for i, line := range lines {
		if !strings.HasSuffix(line, "\n") {
			lines[i] = line + "\n"
		}
	}
	return strings.Join(lines, "")
}
