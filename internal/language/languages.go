package language

import "github.com/lspine/lspine/internal/lazyregexp"

var scriptImports = lazyregexp.New(`(?m)^[ \t]*import\b[^;'"]*['"][^'"\n]*['"]`)

// languages are those of which something is known. An ending is of one.
var languages = []Language{
	{
		IDs: []string{Go}, Endings: []string{".go"},
		Least: lazyregexp.New(`(?m)^package[ \t]+\w+`), Clause: lazyregexp.New(`(?m)^package\s+(\w+)`),
		// The compiler knows no other rule for tests than what holds for all.
	},
	{
		IDs: []string{Rust}, Endings: []string{".rs"}, Lifetimes: true, FolderNames: []string{"mod", "lib"}, TestFolders: true,
	},
	{
		IDs: []string{"python"}, Endings: []string{".py", ".pyi"}, HashComments: true, Indented: true, Gap: "\n\n",
		Imports:      lazyregexp.New(`(?m)^[ \t]*(?:from[ \t]+\S+[ \t]+)?import[ \t]*(?:\([^)]*\)|[^\n]*)`),
		FolderNames:  []string{"__init__"},
		TestPrefixes: []string{"test_"}, TestNames: []string{"conftest"}, TestFolders: true,
		Formatters: "ruff format %s   or   black %s",
	},
	{
		IDs:     []string{"typescript", "typescriptreact", "javascript", "javascriptreact", "vue", "svelte"},
		Endings: []string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"},
		Imports: scriptImports, FolderNames: []string{"index"}, TestFolders: true, Undocumented: true,
	},
	{
		IDs: []string{"cpp", "c"}, Endings: []string{".h", ".c", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"}, C: true, TestFolders: true,
	},
	{
		IDs: []string{"java", "kotlin", "csharp", "scala", "php", "swift"}, Endings: []string{".java", ".kt", ".cs", ".scala", ".php", ".swift"},
		TestPrefixes: []string{"Test"}, TestSuffixes: []string{"Test", "Tests"}, TestFolders: true,
	},
	{
		IDs:          []string{"ruby", "shellscript", "yaml", "toml", "perl", "r", "julia", "elixir", "nix"},
		Endings:      []string{".rb", ".sh", ".bash", ".yaml", ".yml", ".toml", ".pl", ".r", ".jl", ".ex", ".exs", ".nix"},
		HashComments: true, TestFolders: true,
	},
}
