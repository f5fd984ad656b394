package setup

import (
	"os/exec"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// A vendor folder counts as the go command has it: its list must be that of go.mod, and what
// is on its list must be there.
func TestVendoredPackages(t *testing.T) {
	const list = "# example.com/a v1.0.0\n## explicit\nexample.com/a\nexample.com/a/sub\n# example.com/b v1.0.0 => ../b\n## explicit\n"
	names := []string{"example.com/a/sub", "example.com/other"}
	for name, c := range map[string]struct {
		module, folders string
		want            diagnostics.Lack
	}{
		"as it should be": {"go 1.22\nrequire example.com/a v1.0.0\n", "-- example.com/a/sub/x.go --\n", diagnostics.Lack{}},
		"another version": {
			"go 1.22\nrequire example.com/a v1.0.1\n", "-- example.com/a/sub/x.go --\n",
			diagnostics.Lack{Missing: "vendor/modules.txt is not of this go.mod, which requires example.com/a v1.0.1", Names: names},
		},
		"replaced": {"go 1.22\nrequire example.com/b v1.2.0\nreplace example.com/b => ../b\n", "-- example.com/a/sub/x.go --\n", diagnostics.Lack{}},
		"a package is gone": {
			"go 1.22\nrequire example.com/a v1.0.0\n", "-- example.com/a/x.go --\n",
			diagnostics.Lack{Missing: "vendor lacks packages that vendor/modules.txt names: example.com/a/sub", Names: names[:1]},
		},
		"before vendor folders counted": {"go 1.13\nrequire example.com/a v1.0.1\n", "-- example.com/a/x.go --\n", diagnostics.Lack{}},
	} {
		t.Setenv("GOFLAGS", "")
		file, err := modfile.Parse("go.mod", []byte("module example.com/m\n"+c.module), nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, lacksVendored(file, []byte(list), lsptest.Workspace(t, c.folders), names)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	file, err := modfile.Parse("go.mod", []byte("module example.com/m\ngo 1.22\nrequire example.com/a v1.0.1\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if lack := lacksVendored(file, []byte(list), t.TempDir(), names); lack.Missing != "" {
		t.Errorf("with -mod=mod no vendor folder counts: %s", lack.Missing)
	}
}

// A program without which a server loads nothing is named with what finds it again, if it is
// not on PATH; a server that needs none lacks none.
func TestWithoutProgram(t *testing.T) {
	for name, c := range map[string]struct {
		server, found string
		want          diagnostics.Lack
	}{
		"it is there":   {"gopls", "go", diagnostics.Lack{}},
		"it is missing": {"gopls", "cargo", diagnostics.Lack{Missing: "go is not on PATH", Next: "export PATH=$PATH:/usr/local/go/bin"}},
		"another one":   {"rust-analyzer", "go", diagnostics.Lack{Missing: "cargo is not on PATH", Next: "export PATH=$PATH:$HOME/.cargo/bin"}},
		"it needs none": {"pyright", "", diagnostics.Lack{}},
	} {
		w, err := workspace.Open(workspace.Options{Root: t.TempDir(), LookPath: func(program string) (string, error) {
			if program != c.found {
				return "", exec.ErrNotFound
			}
			return "/bin/" + program, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, New(w, nil, w.Names("")).WithoutProgram(&registry.Definition{ID: c.server})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if err := w.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// A server that judges by another program lacks it where it is not installed, and looks for it anew when
// it is; the configuration may name another one.
func TestWithoutHelper(t *testing.T) {
	installed := map[string]bool{}
	w, err := workspace.Open(workspace.Options{Root: t.TempDir(), LookPath: func(program string) (string, error) {
		if !installed[program] {
			return "", exec.ErrNotFound
		}
		return "/bin/" + program, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	s, d, key := New(w, nil, w.Names("")), server(t, "bash"), roots.Key{ID: "bash", Root: w.Root()}
	own := *d
	own.Settings = []byte(`{"bashIde":{"shellcheckPath":"/opt/check"}}`)
	type told struct {
		Lack, Own diagnostics.Lack
		Anew      bool
	}
	lack := func(program string) diagnostics.Lack {
		return diagnostics.Lack{Missing: program + " is not installed", Next: "apt-get install shellcheck"}
	}
	look := func() told {
		return told{s.Of(d, key).Handicap("").Lack, s.Of(&own, roots.Key{ID: "own"}).Handicap("").Lack, s.found(d, key)}
	}
	got := []told{look()}
	installed["shellcheck"] = true
	anew := s.found(d, key)
	got = append(got, look(), told{Lack: s.Of(server(t, "gopls"), key).Handicap("").Lack, Anew: anew})
	want := []told{{lack("shellcheck"), lack("/opt/check"), false}, {Own: lack("/opt/check")}, {Anew: true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("without it, with it, and a server that needs none (-want +got):\n%s", diff)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
