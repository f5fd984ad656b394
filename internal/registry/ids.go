package registry

import "slices"

// IsBuiltin reports whether [Builtin] has a server with this id. It does not make the table.
func IsBuiltin(id string) bool {
	_, found := slices.BinarySearch(builtinIDs[:], id)
	return found
}

// builtinIDs are the ids of [Builtin], sorted. Generated: go test ./internal/registry -update.
var builtinIDs = [...]string{
	"ada", "agda", "aiken", "angular", "ansible", "asm", "ast-grep", "astro", "awk", "azure-pipelines", "ballerina",
	"basedpyright", "bash", "biome", "blueprint", "brighterscript", "buf", "cairo", "ccls", "cds-lsp", "clangd",
	"clojure-lsp", "cmake-language-server", "codebook", "coq", "crystal", "csharp-ls", "css", "cucumber",
	"cue", "dafny", "dart", "deno", "devsense-php", "dhall", "docker-compose", "dockerfile", "elixir-ls",
	"elm", "elp", "ember", "emmet", "emmylua", "erlang-ls", "esbonio", "eslint", "expert", "fish", "flow",
	"fortran", "fsautocomplete", "gitlab-ci", "gleam", "glsl", "golangci-lint", "gopls", "graphql", "groovy",
	"helm", "herb", "hls", "html", "intelephense", "jdtls", "jedi", "json", "jsonnet", "julia", "just", "kcl",
	"kotlin-language-server", "kotlin-lsp", "lean", "lemminx", "lexical", "lua-language-server", "luau",
	"marko", "marksman", "matlab", "mdx", "meson", "metals", "mojo", "moonbit", "move", "neocmake", "next-ls",
	"nginx", "nil", "nim", "nixd", "nushell", "ocamllsp", "ols", "omnisharp", "opencl", "oxlint", "pascal",
	"perl-languageserver", "perlnavigator", "phpactor", "pkl", "pls", "postgres", "powershell", "prisma",
	"protobuf-language-server", "protols", "puppet", "purescript", "pylsp", "pyrefly", "pyright", "qmlls",
	"r", "racket", "rego", "rescript", "roc", "roslyn", "rubocop", "ruby-lsp", "ruff", "rust-analyzer", "serve-d",
	"shopify-theme", "slangd", "solargraph", "solidity", "some-sass", "sorbet", "sourcekit-lsp", "sqls",
	"sqruff", "squawk", "starpls", "stylelint", "svelte", "tailwindcss", "taplo", "tcl", "templ", "terraform",
	"texlab", "tflint", "thrift", "tinymist", "tofu", "tombi", "ty", "typescript", "typescript-language-server",
	"typespec", "typos", "v-analyzer", "vala", "vale", "verible", "vhdl", "vim", "vtsls", "vue", "wgsl",
	"yaml", "zls", "zuban",
}
