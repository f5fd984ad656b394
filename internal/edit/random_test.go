package edit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	udiff "github.com/aymanbagabas/go-udiff"
	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/protocol"
)

// memory is files without a disk: names are paths.
type memory map[string]string

func (m memory) Resolve(path string) (string, error) { return path, nil }

func (m memory) ReadFile(path string) ([]byte, error) {
	if text, ok := m[path]; ok {
		return []byte(text), nil
	}
	return nil, &NotFoundError{Path: path}
}

func (m memory) List(string) (files, dirs []string, err error) { return nil, nil, nil }

// anyText draws a text of a few lines that end in any way.
func anyText(t *rapid.T, label string) string {
	line := rapid.SampledFrom([]string{"", "a", "b", "\tx := 1", "    x := 1", "}", "é😀", "-- a", "++ b", "@@ -1 +1 @@", "a ", "\\ no"})
	ends := rapid.SampledFrom([][]string{{"\n"}, {"\r\n"}, {"\n", "\r\n"}}).Draw(t, label+" ends")
	var b strings.Builder
	for range rapid.IntRange(0, 12).Draw(t, label+" lines") {
		b.WriteString(line.Draw(t, label) + rapid.SampledFrom(ends).Draw(t, label+" end"))
	}
	if rapid.Bool().Draw(t, label+" without the last end") {
		return strings.TrimRight(b.String(), "\r\n")
	}
	return b.String()
}

// The edits that a line diff finds between any two texts, made as ranges in any
// encoding, give the second.
func TestRangesOfADiff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mark := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "mark")
		before, after := mark+anyText(t, "before"), mark+anyText(t, "after")
		enc := rapid.SampledFrom([]protocol.Encoding{protocol.UTF8, protocol.UTF16, protocol.UTF32}).Draw(t, "encoding")
		mapper := protocol.NewMapper([]byte(before))
		var edits []TextEdit
		for _, e := range udiff.Lines(before, after) {
			text := e.New
			if e.Start == 0 {
				text = strings.TrimPrefix(text, mark) // a position cannot be before it
			}
			edits = append(edits, TextEdit{protocol.Range{Start: mapper.Position(e.Start, enc), End: mapper.Position(e.End, enc)}, text})
		}
		got, err := Apply([]byte(before), edits, enc)
		if string(got) != after || err != nil {
			t.Fatalf("%q with %v is %q, %v; want %q", before, edits, got, err, after)
		}
	})
}

// The diff of any two texts is a patch that makes the second of the first, byte
// for byte.
func TestPatchOfADiff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := anyText(t, "before"), anyText(t, "after")
		patch := udiff.Unified("a/f", "b/f", before, after)
		if patch == "" {
			return
		}
		p := NewPlan(memory{"f": before})
		if err := p.Patch(patch); err != nil || string(p.files["f"].after) != after {
			t.Fatalf("%q patched with\n%s\nis %q, %v; want %q", before, patch, p.files["f"].after, err, after)
		}
	})
}

// A patch of lines that are all different finds its place wherever its numbers
// point, whatever its counts say, and also if it was carried without the \r of
// the file.
func TestPatchFindsItsPlace(t *testing.T) {
	number := regexp.MustCompile(`(?m)^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)
	rapid.Check(t, func(t *rapid.T) {
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		var before, after strings.Builder
		for i := range rapid.IntRange(1, 40).Draw(t, "lines") {
			line := fmt.Sprintf("line %d\n", i)
			before.WriteString(line)
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				after.WriteString("new " + line)
			case 1:
				after.WriteString(line + "more\n")
			case 2:
			default:
				after.WriteString(line)
			}
		}
		patch := udiff.Unified("a/f", "b/f", before.String(), after.String())
		shift, wrong := rapid.IntRange(-50, 50).Draw(t, "shift"), rapid.SampledFrom([]string{"right", "wrong", "bare"}).Draw(t, "counts")
		patch = number.ReplaceAllStringFunc(patch, func(head string) string {
			m := number.FindStringSubmatch(head)
			from, err := strconv.Atoi(m[1])
			switch {
			case err != nil:
				t.Fatal(err)
			case wrong == "bare":
				return "@@"
			case wrong == "wrong":
				return fmt.Sprintf("@@ -%d,%d +%d,%d @@", max(from+shift, 1), rapid.IntRange(1, 9).Draw(t, "old"), max(from+shift, 1), rapid.IntRange(1, 9).Draw(t, "new"))
			}
			return fmt.Sprintf("@@ -%d%s +%d%s @@", max(from+shift, 1), count(m[2]), max(from+shift, 1), count(m[4]))
		})
		if patch == "" {
			return
		}
		p := NewPlan(memory{"f": strings.ReplaceAll(before.String(), "\n", end)})
		want := strings.ReplaceAll(after.String(), "\n", end)
		if err := p.Patch(patch); err != nil || string(p.files["f"].after) != want {
			t.Fatalf("%q patched with\n%s\nis %q, %v; want %q", before.String(), patch, p.files["f"].after, err, want)
		}
	})
}

func count(digits string) string {
	if digits == "" {
		return ""
	}
	return "," + digits
}

// The diff of a plan, as a patch, makes of the same files what the plan made of
// them.
func TestDiffOfAPlanIsItsPatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		files := memory{}
		for _, name := range []string{"a", "b c", "d"} {
			files[name] = anyText(t, name)
		}
		p := NewPlan(files)
		for i := range rapid.IntRange(1, 5).Draw(t, "edits") {
			name := rapid.SampledFrom([]string{"a", "b c", "d", "new", "other/name"}).Draw(t, "name")
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				_ = p.Write(name, anyText(t, "text"))
			case 1:
				_ = p.Delete(name, Missing{})
			case 2:
				_ = p.Rename(name, fmt.Sprintf("to%d", i), Existing{})
			}
		}
		patched := NewPlan(files)
		patch := p.Diff(nil)
		if patch == "" {
			return
		}
		err := patched.Patch(patch)
		for path, f := range p.files {
			if got, _ := patched.load(path); got.exists != f.exists || string(got.after) != string(f.after) {
				t.Fatalf("%s is %q, %v; want %q\n%s", path, got.after, err, f.after, patch)
			}
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, patch)
		}
	})
}

// A replacement changes nothing but what it names, mark and line endings of all
// other lines included.
func TestReplaceTouchesNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mark := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "mark")
		before, after := anyText(t, "before"), anyText(t, "after")
		old := "«" + anyText(t, "old") + "»"
		text := mark + before + old + after
		if rapid.Bool().Draw(t, "as \\n") {
			old = strings.ReplaceAll(old, "\r\n", "\n")
		}
		new := rapid.SampledFrom([]string{"", "x", "x\ny", "\n", "x\ny\n"}).Draw(t, "new")
		p := NewPlan(memory{"f": text})
		_, err := p.Replace("f", old, new, false)
		got := string(p.files["f"].after)
		if err != nil || !strings.HasPrefix(got, mark+before) || !strings.HasSuffix(got, after) ||
			strings.ReplaceAll(got[len(mark+before):len(got)-len(after)], "\r\n", "\n") != new {
			t.Fatalf("%q with %q for %q is %q, %v", text, new, old, got, err)
		}
		if whole := strings.ReplaceAll(text, "\r\n", ""); !strings.Contains(whole, "\n") && strings.Contains(text, "\n") && strings.Contains(strings.ReplaceAll(got, "\r\n", ""), "\n") {
			t.Fatalf("%q got a \\n: %q", text, got)
		}
	})
}
