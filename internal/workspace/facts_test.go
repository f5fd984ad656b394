package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// Go files that are not built on this machine are told with the reason, from their names or their conditions; those
// that are in no build are none of them.
func TestGoFilesThatAreNotBuilt(t *testing.T) {
	gopls, _ := registry.Builtin().Get("gopls")
	w := open(t, "-- go.mod --\nmodule m\n-- a.go --\npackage m\n-- a_plan9.go --\npackage m\n-- sub/tagged.go --\n//go:build plan9\n\npackage sub\n-- sub/other_name.go --\npackage sub\n"+
		"-- testdata/b_plan9.go --\npackage b\n-- _old/c_plan9.go --\npackage c\n-- sub/testdata/d_plan9.go --\npackage d\n-- text_plan9.txt --\n", Options{Servers: registry.Table{gopls}, Environ: append(os.Environ(), "GOFLAGS=")})
	if err := w.Remember(t.Context()); err != nil {
		t.Fatal(err)
	}
	names := func() (names []string) {
		for path, built := range w.NotBuilt() {
			if built.Here || built.Because == "" {
				t.Errorf("%s: %+v", path, built)
			}
			names = append(names, w.Relative(path))
		}
		slices.Sort(names)
		return names
	}
	if diff := cmp.Diff([]string{"a_plan9.go", "sub/tagged.go"}, names()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	lsptest.WriteFile(t, filepath.Join(w.Root(), "sub", "tagged.go"), "package sub\n")
	if _, err := w.Sweep(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a_plan9.go"}, names()); diff != "" {
		t.Errorf("when its condition is gone (-want +got):\n%s", diff)
	}
	path := filepath.Join(w.Root(), "x.go")
	if here, gone := w.Built(path, []byte("package m\n")), w.Built(path, []byte("//go:build plan9\n\npackage m\n")); !here.Here || gone.Here {
		t.Errorf("%+v, %+v", here, gone)
	}
}

// Names lead to files and back, each caller's from its own folder; what is no file of the workspace is no name.
func TestNamesOfFiles(t *testing.T) {
	w := open(t, "-- sub/a.toy --\n-- b.toy --\n", Options{})
	sub, a, b := filepath.Join(w.Root(), "sub"), filepath.Join(w.Root(), "sub", "a.toy"), filepath.Join(w.Root(), "b.toy")
	n := w.Names(sub)
	for name, want := range map[string]string{"a.toy": a, "../b.toy": b, "": sub} {
		if got, err := n.Resolve(name); err != nil && name != "" || got != want && name != "" {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	var outside *OutsideWorkspaceError
	if _, err := n.Resolve("../../c.toy"); !errors.As(err, &outside) {
		t.Errorf("outside: %v", err)
	}
	if diff := cmp.Diff([][]string{{"a.toy", "../b.toy"}, {a, b}}, [][]string{n.Relatives([]string{a, b}), n.Absolute().Relatives([]string{a, b})}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Files that mention a text are found whatever its case, as many as are wanted; where not all were read one of the
// others may.
func TestFilesThatMentionAText(t *testing.T) {
	root := lsptest.Workspace(t, "-- a.toy --\nuse Helper\n-- b.toy --\nuse other\n-- c.toy --\nHELPER\n-- d.toy/x --\n")
	in := func(name string) string { return filepath.Join(root, name) }
	lsptest.WriteFile(t, in("large.toy"), "large"+strings.Repeat(" ", maxScannedSize-len("large")+1))
	lsptest.WriteFile(t, in("full.toy"), "full"+strings.Repeat(" ", maxScannedSize-len("full")))
	s := &Sample{Path: in("b.toy"), files: []string{in("gone.toy"), in("a.toy"), in("b.toy"), in("c.toy"), in("d.toy"), in("large.toy"), in("full.toy")}}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		text string
		most int
		all  []string
		one  string
	}{
		{t.Context(), "hELPER", 9, []string{in("a.toy"), in("c.toy")}, in("a.toy")},
		{t.Context(), "helper", 1, []string{in("a.toy")}, in("a.toy")},
		{t.Context(), "full", 9, []string{in("full.toy")}, in("full.toy")},
		{t.Context(), "large", 9, nil, ""},
		{over, "helper", 9, nil, in("b.toy")},
	} {
		if diff := cmp.Diff(c.all, s.AllMentioning(c.ctx, c.text, c.most)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
		if got := s.Mentioning(c.ctx, c.text); got != c.one {
			t.Errorf("%s: %q, want %q", c.text, got, c.one)
		}
	}
	many := &Sample{Path: "first", files: slices.Repeat([]string{in("b.toy")}, maxScanned)}
	if got := many.Mentioning(t.Context(), "helper"); got != "" {
		t.Errorf("as many as are read: %q", got)
	}
	many.files = append(many.files, in("a.toy"))
	if got := many.Mentioning(t.Context(), "helper"); got != "first" {
		t.Errorf("more than are read: %q", got)
	}
}

// Failures tell callers their kind, and what they are about.
func TestKindsOfFailures(t *testing.T) {
	type failure struct {
		Kind result.Kind
		Data result.Data
	}
	for _, c := range []struct {
		err  interface{ Kind() result.Kind }
		want failure
	}{
		{&NotDiagnosedError{}, failure{Kind: result.Argument}},
		{&NotFoundError{Path: "a"}, failure{result.NotFound, result.Data{Path: "a"}}},
		{&OutsideWorkspaceError{Path: "a", Target: "/b"}, failure{result.Outside, result.Data{Path: "a", Target: "/b"}}},
		{&roots.UnavailableError{ID: "toy", Reason: "gone", Install: []string{"get toy"}}, failure{result.Unavailable, result.Data{Server: "toy", Reason: "gone", Install: []string{"get toy"}}}},
	} {
		got := failure{Kind: c.err.Kind()}
		if with, ok := c.err.(interface{ Data() result.Data }); ok {
			got.Data = with.Data()
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%T (-want +got):\n%s", c.err, diff)
		}
	}
	cause := errors.New("too many")
	if deaf := (&disk.DeafError{Root: "/r", Cause: cause}); !errors.Is(deaf, cause) || !strings.Contains(deaf.Error(), "/r") {
		t.Errorf("%v", deaf)
	}
}

// Who asks to hear of servers hears of each use, and nobody else does.
func TestUsesAreNoted(t *testing.T) {
	var heard []roots.Key
	ctx := Noting(t.Context(), func(key roots.Key) { heard = append(heard, key) })
	a, b := roots.Key{ID: "a", Root: "/r"}, roots.Key{ID: "b", Root: "/r"}
	Note(ctx, a)
	Note(t.Context(), b)
	Note(ctx, b)
	Note(ctx, a)
	if diff := cmp.Diff([]roots.Key{a, b, a}, heard); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
