package registry

import "time"

// Functional languages, and those of proofs.

func beam() Table {
	elixir := func(id string, rank int, commands []Command, install ...string) Definition {
		return Definition{
			ID: id, Group: "elixir", Rank: rank, Commands: commands, Roots: []string{"mix.lock", "mix.exs"}, SingleFile: true,
			Languages: []Language{language("elixir", ".ex", ".exs"), language("eelixir", ".eex", ".leex"), language("phoenix-heex", ".heex")},
			Install:   install,
		}
	}
	elixirLS := elixir("elixir-ls", 1, []Command{{Binary: "elixir-ls"}, {Binary: "language_server.sh"}}, homebrew("elixir-ls"))
	elixirLS.Diagnostics.NeedsSave = true // it compiles what was saved
	erlang := func() []Language { return only("erlang", ".erl", ".hrl", ".escript") }
	return listed(
		elixirLS,
		elixir("expert", 2, stdio("expert"), see("github.com/elixir-lang/expert")),
		elixir("lexical", 3, run("lexical"), see("github.com/lexical-lsp/lexical")),
		elixir("next-ls", 4, stdio("nextls"), homebrew("elixir-tools/tap/next-ls")),
		Definition{
			ID: "elp", Group: "erlang", Rank: 1, Languages: erlang(), Commands: run("elp", "server"),
			Roots: []string{".elp.toml", "rebar.config", "erlang.mk"}, SingleFile: true,
			Install: []string{see("whatsapp.github.io/erlang-language-platform")},
		},
		// No longer developed.
		Definition{
			ID: "erlang-ls", Group: "erlang", Rank: 2, Languages: erlang(), Commands: run("erlang_ls"),
			Roots: []string{"erlang_ls.config", "rebar.config", "erlang.mk"}, SingleFile: true,
			Install: []string{homebrew("erlang_ls")},
		},
		Definition{
			ID: "gleam", Languages: only("gleam", ".gleam"), Commands: run("gleam", "lsp"), Roots: []string{"gleam.toml"},
			Install: []string{homebrew("gleam"), see("gleam.run")},
		},
	)
}

func typed() Table {
	return listed(
		Definition{
			ID:        "hls",
			Languages: []Language{language("haskell", ".hs"), language("literate haskell", ".lhs"), language("cabal", ".cabal")},
			Commands: []Command{
				{Binary: "haskell-language-server-wrapper", Args: []string{"--lsp"}}, {Binary: "haskell-language-server", Args: []string{"--lsp"}},
			},
			Roots: []string{"hie.yaml", "cabal.project", "stack.yaml", "*.cabal", "package.yaml"}, SingleFile: true,
			Install: []string{"ghcup install hls"},
		},
		// What it knows of other files is what dune built last.
		Definition{
			ID: "ocamllsp",
			Languages: []Language{
				language("ocaml", ".ml"), language("ocaml.interface", ".mli"), language("ocaml.ocamllex", ".mll"), language("ocaml.menhir", ".mly"),
				language("reason", ".re", ".rei"),
			},
			Commands: run("ocamllsp"),
			Roots:    []string{"dune-workspace", "dune-project", ".merlin", "*.opam", "opam", "esy.json"}, SingleFile: true,
			Install: []string{"opam install ocaml-lsp-server"},
		},
		// It compiles with the project's own elm.
		Definition{
			ID: "elm", Languages: only("elm", ".elm"), Commands: run("elm-language-server"), Roots: []string{"elm.json"},
			Install: npm("@elm-tooling/elm-language-server elm"),
		},
		Definition{
			ID: "purescript", Languages: only("purescript", ".purs"), Commands: stdio("purescript-language-server"),
			Roots:   []string{"spago.yaml", "spago.dhall", "bower.json", "psc-package.json"},
			Install: npm("purescript-language-server purescript"),
		},
		// It shows what the last build of the project said.
		Definition{
			ID: "rescript", Languages: only("rescript", ".res", ".resi"), Commands: stdio("rescript-language-server"),
			Roots: []string{"rescript.json", "bsconfig.json"}, Diagnostics: Diagnostics{Outside: OutsideTouch, NeedsSave: true, Quiet: time.Second},
			Tested:  CI,
			Install: npm("@rescript/language-server"),
		},
		Definition{
			ID: "roc", Languages: only("roc", ".roc"), Commands: run("roc_language_server"), SingleFile: true,
			Install: []string{see("roc-lang.org/install")},
		},
		Definition{
			ID: "racket", Languages: only("racket", ".rkt", ".rktl", ".rktd"), Commands: run("racket", "--lib", "racket-langserver"),
			Roots: []string{"info.rkt"}, SingleFile: true,
			Install: []string{"raco pkg install racket-langserver"},
		},
	)
}

func proofs() Table {
	return listed(
		Definition{
			ID: "lean", Languages: only("lean4", ".lean"), Commands: run("lake", "serve"),
			Roots:   []string{"lakefile.toml", "lakefile.lean", "lean-toolchain"},
			Install: []string{"elan default stable"},
		},
		Definition{
			ID: "coq", Languages: only("coq", ".v"), Commands: []Command{{Binary: "coq-lsp"}, {Binary: "vsrocqtop"}},
			Roots:    []string{"_CoqProject", "_RocqProject", "dune-project"},
			Requires: []string{"_CoqProject", "_RocqProject"}, Excludes: []string{"v.mod"},
			Install: []string{"opam install coq-lsp"},
		},
		Definition{
			ID: "agda", Languages: only("agda", ".agda"), Commands: run("als"), Roots: []string{"*.agda-lib"}, SingleFile: true,
			Install: []string{see("github.com/agda/agda-language-server")},
		},
		Definition{
			ID: "dafny", Languages: only("dafny", ".dfy"), Commands: run("dafny", "server"), Roots: []string{"dfyconfig.toml"}, SingleFile: true,
			Install: []string{"dotnet tool install --global dafny"},
		},
	)
}
