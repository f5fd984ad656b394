package checking

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

// Git moves a folder whose files use each other and are used by many, and moves it back: nothing
// was wrong in its files, so nothing is fixed in them; every user is broken, and then mended, and
// none is said to be broken still. To name the new places is enough to be told.
func TestFolderThatGitMovesAndMovesBack(t *testing.T) {
	const users = 30
	var archive strings.Builder
	archive.WriteString(`
-- tsconfig.json --
{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler", "noEmit": true}}
-- lib/make.ts --
export function make(shape: (parent: string) => number): number { return shape(""); }
-- lib/one.ts --
import { make } from "./make";

export const one = make((parent) => parent.length);
`)
	for i := range users {
		fmt.Fprintf(&archive, "-- use/u%02d.ts --\nimport { one } from \"../lib/one\";\n\nexport const value = one + 1;\n", i)
	}
	for _, server := range []string{"typescript", "typescript-language-server"} {
		t.Run(server, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenReal(t, archive.String(), server)
			commit := func(message string) {
				s.Git("add", ".")
				s.Git("commit", "-qm", message)
			}
			s.Git("init", "-q", "-b", "here")
			commit("one")
			s.Git("checkout", "-q", "-b", "there")
			s.Git("mv", "lib", "libs")
			commit("two")
			s.Git("checkout", "-q", "here")
			s = s.Reopen(func(*enginetest.Options) {}) // this session begins at the commit
			type told struct {
				Verdict               string
				Moved, Broken, Mended int
			}
			check := func(files ...string) (now told) {
				answer := s.Check(api.CheckRequest{Files: files, TimeoutMS: 60_000, MaxBytes: -1})
				if answer.Incomplete {
					t.Errorf("it is not complete: %v", answer.Unknown)
				}
				now.Verdict = answer.Verdict
				for _, f := range slices.Concat(answer.Files, answer.Others) {
					switch {
					case strings.HasPrefix(f.Path, "lib"):
						now.Moved += len(f.Diagnostics) + len(f.Fixed)
					case len(f.Diagnostics) > 0:
						now.Broken++
					case len(f.Fixed) > 0:
						now.Mended++
					}
				}
				return now
			}
			got := []told{check("use/u00.ts")}
			for _, branch := range []string{"there", "here", "there"} {
				s.Git("checkout", "-q", branch)
				files := []string{"lib/make.ts", "lib/one.ts"}
				switch {
				case len(got) == 1:
					files = nil
				case branch == "there": // what is at neither commit is a wrong name
					files = append(files, "libs/make.ts", "libs/one.ts")
				}
				got = append(got, check(files...))
			}
			s.Git("checkout", "-q", "here")
			s = s.Reopen(func(*enginetest.Options) {})
			got = append(got, check("use/u00.ts"))
			s.Git("checkout", "-q", "there")
			got = append(got, check("libs/make.ts", "libs/one.ts"))
			want := []told{
				{Verdict: result.Clean},
				{Verdict: result.NewErrors, Broken: users},
				{Verdict: result.Clean, Mended: users},
				{Verdict: result.NewErrors, Broken: users},
				{Verdict: result.Clean},
				{Verdict: result.NewErrors, Broken: users},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A folder comes in the place of a file, with the file in it, or a file in the place of a folder: what used the file is told that it is
// gone, whether a server had it open or not, and all is as it was when it comes back. tsserver does not take a text for a file that is now a
// folder, so what was wrong before is not known from it.
func TestFoldersInThePlaceOfFiles(t *testing.T) {
	const (
		tsFiles = "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"noEmit\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\", \"types\": []}}\n" +
			"-- base.ts --\nexport const zero = 0;\n-- deep/index.ts --\nexport const one = 1;\n-- lib.ts --\nimport { zero } from \"./base\";\nimport { one } from \"./deep\";\nexport const sum = zero + one;\n"
		pyFiles   = "-- pyproject.toml --\n[tool.pyright]\n-- base.py --\nzero = 0\n-- deep/__init__.py --\none = 1\n-- lib.py --\nfrom base import zero\nfrom deep import one\n\nsum = zero + one\n"
		rustFiles = "-- .gitignore --\ntarget\nCargo.lock\n-- Cargo.toml --\n[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n" +
			"-- src/lib.rs --\n#![no_std]\npub mod base;\npub mod deep;\n-- src/base.rs --\npub fn f() {}\n-- src/deep/mod.rs --\npub fn g() {}\n"
	)
	for name, c := range map[string]struct{ server, files, user, from, to, want string }{
		"a folder, typescript":    {"typescript", tsFiles, "lib.ts", "base.ts", "base.ts/index.ts", "lib.ts: Cannot find module './base'"},
		"a folder, pyright":       {"pyright", pyFiles, "lib.py", "base.py", "base.py/__init__.py", "lib.py: Import \"base\" could not be resolved"},
		"a folder, rust-analyzer": {"rust-analyzer", rustFiles, "src/lib.rs", "src/base.rs", "src/base.rs/mod.rs", "src/lib.rs: couldn't read `src/base.rs`"},
		"a file, gopls": {
			"gopls", "-- go.mod --\nmodule m\n\ngo 1.24\n-- deep/deep.go --\npackage deep\n\nconst One = 1\n-- lib.go --\npackage lib\n\nimport \"m/deep\"\n\nconst Sum = deep.One\n",
			"lib.go", "deep/deep.go", "deep", "lib.go: could not import m/deep",
		},
		"a file, typescript":                 {"typescript", tsFiles, "lib.ts", "deep/index.ts", "deep", "lib.ts: Cannot find module './deep'"},
		"a file, typescript-language-server": {"typescript-language-server", tsFiles, "lib.ts", "deep/index.ts", "deep", "lib.ts: Cannot find module './deep'"},
		"a file, pyright":                    {"pyright", pyFiles, "lib.py", "deep/__init__.py", "deep", "lib.py: Import \"deep\" could not be resolved"},
		"a file, rust-analyzer":              {"rust-analyzer", rustFiles, "src/lib.rs", "src/deep/mod.rs", "src/deep", "src/lib.rs: file not found for module `deep`"},
	} {
		t.Run(name, func(t *testing.T) {
			s := enginetest.OpenReal(t, c.files, c.server)
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("commit", "-qm", "one")
			text := s.Read(c.from)
			expectBroken := func(want ...string) {
				t.Helper()
				for _, about := range [][]string{nil, {c.user}, {"."}, nil} {
					var got []string
					for _, says := range newIn(t, s, about, want) {
						if strings.HasPrefix(says, c.user) { // not what is wrong with a file that nothing names
							got = append(got, says)
						}
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("about %q (-want +got):\n%s", about, diff)
					}
				}
			}
			for range 2 {
				s.Check(api.CheckRequest{Files: []string{"."}, TimeoutMS: 240_000}) // servers have all files open
				s.Git("rm", "-q", c.from)
				s.Write(c.to, text)
				expectBroken(c.want)
				s.Git("rm", "-rqf", "--ignore-unmatch", c.to)
				s.Git("clean", "-qfd")
				s.Git("checkout", "-q", "HEAD", ".")
				expectBroken()
			}
		})
	}
}
