package edit

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// planSteps is planFive with five files more, in steps that each begin with what the one before
// made.
func planSteps(t testing.TB, root string) *Plan {
	t.Helper()
	p := planFive(t, root)
	for i := range 5 {
		next := p.Next()
		_, err := next.Replace("a.sh", fmt.Sprint(i+1), fmt.Sprint(i+2), false)
		if err := errors.Join(err, next.Write(fmt.Sprintf("step/%d.txt", i), "step\n")); err != nil {
			t.Fatal(err)
		}
		p = next
	}
	return p
}

func stepsAfter() map[string]string {
	after := maps.Clone(fiveAfter)
	after["a.sh"], after["step"] = mode("-rwxr-x--x")+" 6\n", ""
	for i := range 5 {
		after[fmt.Sprintf("step/%d.txt", i)] = mode("-rw-r--r--") + " step\n"
	}
	return after
}

// A step speaks of the texts that those before made: its ranges and hashes are of these, and what
// it does not change stays. The plan before it is as it was; the changes are against the disk.
func TestStepsBuildOnEachOther(t *testing.T) {
	root := put(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "b\n", "c.txt": "c\n"})
	first := planIn(t, root)
	if _, err := first.Replace("a.txt", "one", "longer", false); err != nil {
		t.Fatal(err)
	}
	second := first.Next()
	for _, err := range []error{
		second.Expect("a.txt", Hash([]byte("longer\ntwo\n"))),
		second.Rename("a.txt", "z.txt", Existing{}), second.Write("new.txt", "new\n"), second.Delete("c.txt", Missing{}),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	third := second.Next()
	if _, err := third.Replace("z.txt", "longer", "last", false); err != nil {
		t.Error(err)
	}
	if _, err := third.Replace("new.txt", "new", "newer", false); err != nil {
		t.Error(err)
	}
	var stale *StaleError
	if err := third.Expect("z.txt", Hash([]byte("one\ntwo\n"))); !errors.As(err, &stale) {
		t.Errorf("the hash of the disk: %v", err)
	}
	texts := func(p *Plan) map[string]string {
		told := make(map[string]string)
		for path, text := range p.Texts() {
			if name, _ := filepath.Rel(root, path); text == nil {
				told[name] = "gone"
			} else {
				told[name] = string(text)
			}
		}
		return told
	}
	for i, want := range []map[string]string{
		{"a.txt": "longer\ntwo\n"},
		{"a.txt": "gone", "z.txt": "longer\ntwo\n", "new.txt": "new\n", "c.txt": "gone"},
		{"a.txt": "gone", "z.txt": "last\ntwo\n", "new.txt": "newer\n", "c.txt": "gone"},
	} {
		if diff := cmp.Diff(want, texts([]*Plan{first, second, third}[i])); diff != "" {
			t.Errorf("step %d: %s", i+1, diff)
		}
	}
	if text, err := third.ReadFile(filepath.Join(root, "z.txt")); err != nil || string(text) != "last\ntwo\n" {
		t.Errorf("%s %v", text, err)
	}
	if _, err := third.ReadFile(filepath.Join(root, "c.txt")); err == nil {
		t.Error("c.txt is there")
	}
	if diff := third.Diff(filepath.Base); !strings.Contains(diff, "rename from a.txt") || !strings.Contains(diff, "-one\n+last\n") {
		t.Error(diff)
	}
}

// What somebody else did to changed files since the plan read them is told, of each with the
// hashes; what nobody changes may change.
func TestOutdatedFilesAreThoseThatOthersChanged(t *testing.T) {
	root := put(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"})
	p := planIn(t, root)
	for _, err := range []error{p.Write("a.txt", "A\n"), p.Write("b.txt", "B\n"), p.Write("new.txt", "new\n")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if list, err := p.Outdated(); err != nil || len(list) > 0 {
		t.Errorf("%v %v", list, err)
	}
	path := func(name string) string { return filepath.Join(root, name) }
	for _, err := range []error{
		os.WriteFile(path("a.txt"), []byte("mine\n"), 0o644), os.Remove(path("b.txt")), os.WriteFile(path("c.txt"), []byte("mine\n"), 0o644), os.Mkdir(path("new.txt"), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	list, err := p.Outdated()
	want := []Outdated{
		{path("a.txt"), Hash([]byte("a\n")), Hash([]byte("mine\n"))}, {path("b.txt"), Hash([]byte("b\n")), ""}, {path("new.txt"), "", ""},
	}
	if diff := cmp.Diff(want, list); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if got := p.Size(); got != len("a\nA\nb\nB\nnew\n") {
		t.Errorf("it keeps %d bytes", got)
	}
}

// The change of one file is shown by its old name and by its new one, and says how many lines come and go;
// that of another file, or of what is no text, says nothing of lines.
func TestChangeOfOneFile(t *testing.T) {
	root := put(t, map[string]string{"a.txt": "one\ntwo\nthree", "b.txt": "b\n", "c.bin": "\x00", "d.txt": "d\n"})
	p := planIn(t, root)
	if _, err := p.Replace("a.txt", "two\nthree", "2\n3\n4\n", false); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.Rename("a.txt", "z.txt", Existing{}), p.Delete("b.txt", Missing{}), p.Delete("c.bin", Missing{})); err != nil {
		t.Fatal(err)
	}
	name := func(path string) string { return filepath.Base(path) }
	moved := "diff --git a/a.txt b/z.txt\nrename from a.txt\nrename to z.txt\n--- a/a.txt\n+++ b/z.txt\n@@ -1,3 +1,4 @@\n one\n-two\n-three\n\\ No newline at end of file\n+2\n+3\n+4\n"
	want := map[string]string{
		"a.txt": moved, "z.txt": moved, "d.txt": "", "none.txt": "",
		"b.txt": "diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n",
		"c.bin": "diff --git a/c.bin b/c.bin\ndeleted file mode 100644\nBinary files a/c.bin and /dev/null differ\n",
	}
	got := make(map[string]string)
	for file := range want {
		got[file] = p.DiffOf(filepath.Join(root, file), name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	lines := make(map[string][2]int)
	for _, c := range p.Changes() {
		added, removed := c.Lines()
		lines[name(c.Path)] = [2]int{added, removed}
	}
	if diff := cmp.Diff(map[string][2]int{"z.txt": {3, 2}, "b.txt": {0, 1}, "c.bin": {0, 0}}, lines); diff != "" {
		t.Error(diff)
	}
}

// A plan that takes another one makes the same changes, and what is done to either later is its own.
func TestTakenPlan(t *testing.T) {
	root := put(t, map[string]string{"a.txt": "one\n", "dir/b.txt": "b\n"})
	given, taken := planIn(t, root), planIn(t, root)
	if err := errors.Join(given.Write("a.txt", "two\n"), given.Rename("dir", "moved", Existing{})); err != nil {
		t.Fatal(err)
	}
	taken.Take(given)
	if diff := cmp.Diff(given.Changes(), taken.Changes()); diff != "" || len(taken.Changes()) != 2 {
		t.Error(diff)
	}
	if err := errors.Join(given.Write("a.txt", "three\n"), given.Write("dir/c.txt", "c\n")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("two\n", taken.textAt(t, "a.txt")); diff != "" || len(taken.Changes()) != 2 {
		t.Errorf("%s and %+v", diff, taken.Changes())
	}
}
