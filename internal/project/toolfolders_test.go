package project

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// What tools keep for themselves is told from what a server may read, by what is beside it; packages are told from both.
func TestWhatFoldersHold(t *testing.T) {
	for name, c := range map[string]struct {
		archive string
		want    map[string]Holding // of all folders that do not hold files
	}{
		"caches, wherever they are": {
			"-- a/__pycache__/x --\n-- .mypy_cache/3.12/x --\n-- .next/cache/x --\n-- .next/types/a.ts --\n-- cache/a.ts --\n-- .hg/store/x --\n",
			map[string]Holding{"a/__pycache__": HoldsScratch, ".mypy_cache": HoldsScratch, ".next/cache": HoldsScratch, ".hg": HoldsScratch},
		},
		"a target of cargo": {
			"-- target/.rustc_info.json --\n-- target/debug/.fingerprint/a/x --\n-- target/debug/deps/x --\n-- target/debug/incremental/x --\n-- target/debug/examples/x --\n" +
				"-- target/debug/build/a/out/gen.rs --\n" +
				"-- target/doc/x --\n-- target/x86_64-unknown-none/release/.fingerprint/a/x --\n-- target/x86_64-unknown-none/release/deps/x --\n" +
				"-- target/x86_64-unknown-none/release/build/x --\n-- target/x86_64-unknown-none/release/examples/x --\n-- target/generated/a.rs --\n",
			map[string]Holding{
				"target/debug/.fingerprint": HoldsScratch, "target/debug/deps": HoldsScratch, "target/debug/incremental": HoldsScratch, "target/debug/examples": HoldsScratch,
				"target/x86_64-unknown-none/release/.fingerprint": HoldsScratch, "target/x86_64-unknown-none/release/deps": HoldsScratch,
				"target/x86_64-unknown-none/release/examples": HoldsScratch, "target/doc": HoldsScratch,
			},
		},
		"folders of a project with the same names": {
			"-- target/classes/A.java --\n-- target/generated-sources/A.java --\n-- deps/a.ex --\n-- .fingerprint --\n-- build/a.ts --\n-- sub/examples/a.rs --\n-- doc/a.md --\n-- package/a.js --\n-- lib/python3/a.py --\n-- lib/site-packages/a.py --\n", nil,
		},
		"environments of Python": {
			"-- .venv/pyvenv.cfg --\n-- .venv/bin/x --\n-- .venv/lib/python3.12/site-packages/a/x --\n-- .venv/src/checkout/a.py --\n-- win/pyvenv.cfg --\n-- win/Lib/site-packages/a/x --\n" +
				"-- conda/conda-meta/x.json --\n-- conda/lib/python3.12/x --\n-- conda/lib/cmake/x --\n-- conda/pkgs/x --\n-- conda/include/x.h --\n-- here/pyvenv.cfg --\n-- here/lib/own/a.py --\n",
			map[string]Holding{
				".venv/lib/python3.12": HoldsPackages, "win/Lib/site-packages": HoldsPackages,
				"conda/conda-meta": HoldsScratch, "conda/lib/python3.12": HoldsPackages, "conda/pkgs": HoldsScratch,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := lsptest.Workspace(t, c.archive)
			got := make(map[string]Holding)
			err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
				if err != nil || !e.IsDir() || path == root {
					return err
				}
				holds := HoldsNow(path)
				if holds == HoldsFiles {
					return nil
				}
				relative, err := filepath.Rel(root, path)
				got[filepath.ToSlash(relative)] = holds
				if err != nil {
					return err
				}
				return fs.SkipDir
			})
			if c.want == nil {
				c.want = make(map[string]Holding)
			}
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}
