package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// A git that lies in a checkout which is not trusted does not run, although PATH has its folder first, as npx makes it;
// also where a folder of the checkout is asked about.
func TestGitOfACheckoutDoesNotRun(t *testing.T) {
	lsptest.NeedShell(t)
	r := lsptest.NewRepository(t, "-- a.go --\none\n-- package/b.go --\none\n")
	r.Commit()
	r.Write("a.go", "two\n")
	r.Write("package/b.go", "two\n")
	bin, mark := filepath.Join(r.Root, "node_modules", ".bin"), filepath.Join(t.TempDir(), "mark")
	lsptest.WriteFile(t, filepath.Join(bin, "git"), "#!/bin/sh\ntouch '"+mark+"'\nexit 1\n")
	lsptest.WriteFile(t, filepath.Join(r.Root, ".gitignore"), "node_modules\n")
	if err := os.Chmod(filepath.Join(bin, "git"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	asking := map[string]func(opts Options) error{
		"an open workspace": func(opts Options) error {
			w := open(t, "", opts)
			_, err := w.Git().ChangesSince(t.Context(), "HEAD")
			return err
		},
		"its files": func(opts Options) error {
			w := open(t, "", opts)
			_, err := w.Git().AllFiles(t.Context())
			return err
		},
		"what differs in it": func(opts Options) error {
			_, _, err := Differing(t.Context(), opts, "HEAD", scripts)
			return err
		},
	}
	for name, ask := range asking {
		for _, folder := range []string{r.Root, filepath.Join(r.Root, "package")} {
			got := make(map[bool]bool) // whether it ran, by whether it is trusted
			for _, trusted := range []bool{false, true} {
				_ = os.Remove(mark)
				err := ask(Options{Root: folder, Environ: lsptest.GitEnvironment, Trusted: trusted})
				_, missing := os.Stat(mark)
				if got[trusted] = missing == nil; !trusted && err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			if diff := cmp.Diff(map[bool]bool{false: false, true: true}, got); diff != "" {
				t.Errorf("%s: the checkout's git ran, of %s (-want +got):\n%s", name, folder, diff)
			}
		}
	}
}
