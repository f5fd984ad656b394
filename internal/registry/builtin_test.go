package registry

import (
	"slices"
	"strings"
	"testing"
)

// There are many entries, by id, and among them all that people expect.
//
// Requirement: OPTA-4.
func TestBuiltinEntriesAreManyAndInOrder(t *testing.T) {
	ids := Builtin().IDs()
	if len(ids) < 90 || !slices.IsSorted(ids) {
		t.Errorf("%d entries, sorted %t; want at least 90 by id", len(ids), slices.IsSorted(ids))
	}
	for _, core := range strings.Fields(`
		gopls typescript typescript-language-server vtsls deno biome oxlint eslint vue svelte astro tailwindcss css html json yaml graphql
		prisma emmet stylelint pyright basedpyright pylsp jedi ruff ty pyrefly clangd ccls cmake-language-server neocmake rust-analyzer zls jdtls
		kotlin-lsp kotlin-language-server groovy metals clojure-lsp omnisharp csharp-ls roslyn fsautocomplete intelephense phpactor devsense-php
		ruby-lsp solargraph sorbet rubocop pls perlnavigator perl-languageserver bash fish powershell awk lua-language-server luau dart elixir-ls
		lexical expert next-ls elp gleam hls ocamllsp purescript elm rescript nil nixd terraform tflint dockerfile docker-compose helm ansible
		buf protobuf-language-server sqls postgres taplo tombi lemminx marksman mdx texlab tinymist cue jsonnet dhall starpls meson vim asm
		fortran ada r julia matlab nim crystal serve-d v-analyzer ols sourcekit-lsp solidity move cairo glsl wgsl slangd verible vhdl qmlls templ
		ast-grep typos codebook golangci-lint`) {
		if !slices.Contains(ids, core) {
			t.Errorf("%s is missing", core)
		}
	}
}

// The core is proven. Which others are is held against the outcome of the suite of
// all servers, in e2e/all.
func TestProvenEntries(t *testing.T) {
	for _, id := range []string{"clangd", "gopls", "jdtls", "pyright", "rust-analyzer", "typescript", "typescript-language-server"} {
		if d, _ := Builtin().Get(id); d.Tested != CI {
			t.Errorf("%s is %q", id, d.Tested)
		}
	}
}

// A linter runs only where its configuration is, or for who names it, or for
// files that have only one kind.
func TestLintersHaveACondition(t *testing.T) {
	named := []string{"azure-pipelines", "docker-compose", "gitlab-ci"} // their files are their configuration
	for _, d := range Builtin() {
		if d.Role == DiagnosticsOnly && len(d.Requires) == 0 && !d.OptIn && !slices.Contains(named, d.ID) {
			t.Errorf("%s would run for every %v", d.ID, d.Languages)
		}
	}
}

// A marker that every checkout has says nothing about a server.
func TestNoRootIsACatchAll(t *testing.T) {
	for _, d := range Builtin() {
		for _, marker := range slices.Concat(d.Roots, d.Requires) {
			if marker == "*" || marker == ".git" || marker == "README.md" {
				t.Errorf("%s: %q is everywhere", d.ID, marker)
			}
		}
	}
}

// Servers of one group have an order, something to stand in for, and the same
// language for one file.
func TestGroupsAreInOrder(t *testing.T) {
	groups := make(map[string][]Definition)
	for _, d := range Builtin() {
		if (d.Group == "") != (d.Rank == 0) {
			t.Errorf("%s: group %q with rank %d", d.ID, d.Group, d.Rank)
		}
		if d.Group != "" {
			groups[d.Group] = append(groups[d.Group], d)
		}
	}
	for name, members := range groups {
		slices.SortFunc(members, func(a, b Definition) int { return a.Rank - b.Rank })
		for i, d := range members {
			if d.Rank != i+1 {
				t.Errorf("%s: the ranks are not 1 to %d: %s has %d", name, len(members), d.ID, d.Rank)
			}
			others := slices.Delete(slices.Clone(members), i, i+1)
			shared := false
			eachPattern(&d, func(id, pattern string) {
				for _, other := range others {
					theirs, ok := other.LanguageID(example(pattern))
					shared = shared || ok
					if ok && theirs != id && d.ID != "helm" && other.ID != "helm" { // a template is YAML to one, and not to the other
						t.Errorf("%s: %s is %s to %s and %s to %s", name, pattern, id, d.ID, theirs, other.ID)
					}
				}
			})
			if !shared {
				t.Errorf("%s: %s stands in for nobody", name, d.ID)
			}
		}
	}
	for _, order := range [][]string{
		{"typescript", "typescript-language-server", "vtsls"}, {"pyright", "basedpyright", "ty", "pyrefly", "pylsp", "jedi"},
	} {
		for i := 1; i < len(order); i++ {
			better, _ := Builtin().Get(order[i-1])
			worse, _ := Builtin().Get(order[i])
			if better.Rank >= worse.Rank {
				t.Errorf("%s does not come before %s", better.ID, worse.ID)
			}
		}
	}
}

// Two servers that navigate are never started for one file: they are of one
// group, or one is ruled out by what the other requires.
func TestOneServerNavigates(t *testing.T) {
	table := Builtin()
	apart := func(a, b Definition) bool {
		return len(a.Requires) > 0 && !slices.ContainsFunc(a.Requires, func(r string) bool { return !slices.Contains(b.Excludes, r) })
	}
	for i, a := range table {
		for _, b := range table[i+1:] {
			if a.Role != Primary || b.Role != Primary || a.OptIn || b.OptIn || a.Group != "" && a.Group == b.Group || apart(a, b) || apart(b, a) {
				continue
			}
			eachPattern(&a, func(_, pattern string) {
				if _, both := b.LanguageID(example(pattern)); both {
					t.Errorf("%s and %s would both run for %s", a.ID, b.ID, pattern)
				}
			})
			eachPattern(&b, func(_, pattern string) {
				if _, both := a.LanguageID(example(pattern)); both {
					t.Errorf("%s and %s would both run for %s", b.ID, a.ID, pattern)
				}
			})
		}
	}
}

// specified are the language ids of LSP 3.17 and 3.18.
const specified = `abap bat bibtex clojure coffeescript c cpp csharp css d delphi diff dart dockerfile elixir erlang fsharp git-commit git-rebase go
	groovy handlebars haskell html ini java javascript javascriptreact json latex less lua makefile markdown objective-c objective-cpp pascal
	perl perl6 plaintext php powershell jade python r razor ruby rust scss sass scala shaderlab shellscript sql swift typescript
	typescriptreact tex vb xml xsl yaml`

// others are ids that LSP does not name: those of the extensions of VS Code for
// the language, which is what its servers look for.
const others = `ada agda aiken ansible asciidoc asm astro awk azure-pipelines ballerina blueprint brightscript brighterscript cabal cairo cds cmake coq
	crystal cucumber cue cuda-cpp dafny dhall dockercompose eelixir elm erb fish fortran gleam glsl go.mod go.work graphql helm hlsl jsonc jsonnet
	julia just kcl kotlin lean4 liquid luau marko matlab mdx meson mojo moonbit move nginx nim nix nushell ocaml ocaml.interface
	ocaml.menhir ocaml.ocamllex odin opencl opentofu phoenix-heex pkl prisma proto puppet purescript qml qmltypes racket reason rego
	rescript restructuredtext rmd roc slang solidity starlark svelte systemverilog tcl templ terraform terraform-vars thrift toml typespec typst
	v vala verilog vhdl vim vue wgsl zig`

// Servers look at the language id: it is one that LSP names, or one that is
// known to be right.
func TestLanguageIDsAreKnown(t *testing.T) {
	known := strings.Fields(specified + " " + others)
	known = append(known, "literate haskell")
	used := make(map[string]bool)
	for _, d := range Builtin() {
		eachPattern(&d, func(id, pattern string) {
			used[id] = true
			if !slices.Contains(known, id) {
				t.Errorf("%s: %s is %q, which LSP does not name; if its servers look for that, add it to others", d.ID, pattern, id)
			}
		})
	}
	for _, id := range strings.Fields(others) {
		if !used[id] {
			t.Errorf("%q is excepted, and not used", id)
		}
	}
	for file, want := range map[string]string{
		"a.tsx": "typescriptreact", "a.jsx": "javascriptreact", "a.mts": "typescript", "a.cjs": "javascript", "a.sh": "shellscript", ".bashrc": "shellscript",
		"Dockerfile": "dockerfile", "Dockerfile.dev": "dockerfile", "x/Containerfile": "dockerfile", "CMakeLists.txt": "cmake", "go.mod": "go.mod",
		"tsconfig.build.json": "jsonc", "a.json": "json", "a.hpp": "cpp", "a.m": "objective-c", "a.yml": "yaml", "a.tfvars": "terraform-vars",
		"a.mli": "ocaml.interface", "a.lhs": "literate haskell", "a.heex": "phoenix-heex", "a.scss": "scss", "Gemfile": "ruby", "a.html.erb": "erb",
	} {
		x := NewIndex(Builtin())
		var got []string
		for _, d := range x.Serving(file) {
			if id, _ := d.LanguageID(file); d.Role == Primary && id != "helm" {
				got = append(got, id)
			}
		}
		if len(slices.Compact(got)) == 0 || slices.Compact(got)[0] != want {
			t.Errorf("%s is %q, want %q", file, got, want)
		}
	}
}

// eachPattern calls f with every pattern of a definition and its language id.
func eachPattern(d *Definition, f func(id, pattern string)) {
	for _, l := range d.Languages {
		for _, p := range l.Patterns {
			f(l.ID, p)
		}
	}
}

// example returns a file name that the pattern is for.
func example(pattern string) string {
	if strings.HasPrefix(pattern, ".") {
		return "file" + pattern
	}
	return strings.ReplaceAll(strings.ReplaceAll(pattern, "[.]", "."), "*", "x")
}
