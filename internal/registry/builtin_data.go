package registry

import "encoding/json"

// Data, schemas and prose: where the server is not installed, nobody misses it.

func data() Table {
	return listed(
		Definition{
			ID: "json",
			Languages: []Language{
				language("json", ".json", ".webmanifest"),
				language("jsonc", ".jsonc", ".code-workspace", "tsconfig.json", "tsconfig.*.json", "jsconfig.json", "devcontainer.json", "[.]eslintrc.json"),
			},
			Commands: stdio("vscode-json-language-server"), SingleFile: true,
			InitializationOptions: json.RawMessage(`{"provideFormatter":true}`),
			Settings:              json.RawMessage(`{"json":{"validate":{"enable":true}},"http":{}}`),
			Diagnostics:           pulled(), Optional: true,
			Tested:  CI,
			Install: npm("vscode-langservers-extracted"),
		},
		// It would fetch a catalogue of schemas. The templates of a chart are no YAML.
		Definition{
			ID: "yaml", Languages: only("yaml", ".yaml", ".yml"), Group: "yaml", Rank: 2,
			Commands: stdio("yaml-language-server"), SingleFile: true, Excludes: []string{"Chart.yaml"},
			Settings:    json.RawMessage(`{"yaml":{"validate":true,"hover":true,"schemaStore":{"enable":false,"url":""}},"editor":{},"files":{},"http":{}}`),
			Optional:    true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     npm("yaml-language-server"),
		},
		Definition{
			ID: "tombi", Languages: only("toml", ".toml"), Group: "toml", Rank: 1,
			Commands: run("tombi", "lsp"), Roots: []string{"tombi.toml"}, SingleFile: true,
			Anew: []string{"tombi.toml", ".tombi.toml", "pyproject.toml"},
			// It declares that it judges the whole workspace only to those who pull.
			Diagnostics: Diagnostics{Strategies: []Strategy{Pull}, AnnouncePull: true, Outside: OutsideTouch}, Optional: true,
			Tested:  CI,
			Install: append(npm("tombi"), "uv tool install tombi"),
		},
		// The package of npm is built without the server.
		Definition{
			ID: "taplo", Languages: only("toml", ".toml"), Group: "toml", Rank: 2,
			Commands: run("taplo", "lsp", "stdio"), Roots: []string{".taplo.toml", "taplo.toml"}, SingleFile: true, Optional: true,
			Install: []string{"cargo install taplo-cli --features lsp", homebrew("taplo")},
		},
		Definition{
			ID: "lemminx", Languages: []Language{language("xml", ".xml", ".xsd", ".svg", ".rng", ".wsdl"), language("xsl", ".xsl", ".xslt")},
			Commands: run("lemminx"), SingleFile: true, Optional: true,
			Install: []string{see("github.com/redhat-developer/vscode-xml/releases")},
		},
	)
}

func databases() Table {
	return append(listed(
		Definition{
			ID: "postgres", Languages: only("sql", ".sql"), Group: "sql", Rank: 1,
			Commands: []Command{{Binary: "postgres-language-server", Args: []string{"lsp-proxy"}}, {Binary: "postgrestools", Args: []string{"lsp-proxy"}}},
			Roots:    []string{"postgres-language-server.jsonc", "postgrestools.jsonc"}, Requires: []string{"postgres-language-server.jsonc", "postgrestools.jsonc"},
			Anew:        []string{"postgres-language-server.jsonc", "postgrestools.jsonc"},
			Optional:    true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     npm("@postgres-language-server/cli"),
		},
		// It wants the connection to a database, and diagnoses nothing.
		Definition{
			ID: "sqls", Languages: only("sql", ".sql"), Group: "sql", Rank: 2,
			Commands: run("sqls"), SingleFile: true, Optional: true, OptIn: true,
			Install: []string{"go install github.com/sqls-server/sqls@latest"},
		},
	), linters(
		// The migrations of PostgreSQL.
		Definition{
			ID: "squawk", Languages: only("sql", ".sql"), Commands: run("squawk", "server"), Requires: []string{".squawk.toml"},
			Anew:        []string{".squawk.toml"},
			Diagnostics: pulled(), Optional: true,
			Tested:  CI,
			Install: append(npm("squawk-cli"), pip("squawk-cli")),
		},
		Definition{
			ID: "sqruff", Languages: only("sql", ".sql"), Commands: run("sqruff", "lsp"), Requires: []string{".sqruff"}, Optional: true,
			Anew:    []string{".sqruff"},
			Install: []string{cargo("sqruff"), homebrew("sqruff")},
		},
	)...)
}

func prose() Table {
	return listed(
		Definition{
			ID: "marksman", Languages: only("markdown", ".md", ".markdown"), Commands: run("marksman", "server"), Roots: []string{".marksman.toml"},
			SingleFile: true, Optional: true,
			Install: []string{homebrew("marksman"), see("github.com/artempyanykh/marksman/releases")},
		},
		Definition{
			ID:        "texlab",
			Languages: []Language{language("latex", ".tex", ".sty", ".cls", ".ltx"), language("bibtex", ".bib")},
			Commands:  run("texlab"), Roots: []string{".latexmkrc", "latexmkrc", ".texlabroot", "texlabroot", "Tectonic.toml"},
			SingleFile: true, Optional: true,
			Install: []string{cargo("texlab"), homebrew("texlab")},
		},
		Definition{
			ID: "tinymist", Languages: only("typst", ".typ"), Commands: run("tinymist", "lsp"), Roots: []string{"typst.toml"}, SingleFile: true,
			Install: []string{homebrew("tinymist"), see("github.com/Myriad-Dreamin/tinymist/releases")},
		},
		Definition{
			ID: "esbonio", Languages: only("restructuredtext", ".rst"), Commands: run("esbonio"), Roots: []string{"conf.py"}, SingleFile: true, Optional: true,
			Install: []string{pip("esbonio")},
		},
	)
}

// words are the files in which words are checked for their spelling: not every
// file, because what no server knows is not looked at.
func words() []Language {
	return []Language{
		language("markdown", ".md", ".markdown"), language("plaintext", ".txt"), language("restructuredtext", ".rst"), language("latex", ".tex"),
		language("go", ".go"), language("rust", ".rs"), language("python", ".py"), language("java", ".java"), language("ruby", ".rb"),
		language("php", ".php"), language("lua", ".lua"), language("swift", ".swift"), language("csharp", ".cs"), language("haskell", ".hs"),
		language("javascript", ".js", ".mjs", ".cjs"), language("javascriptreact", ".jsx"), language("typescript", ".ts", ".mts", ".cts"),
		language("typescriptreact", ".tsx"), language("c", ".c", ".h"), language("cpp", ".cc", ".cpp", ".cxx", ".hpp"),
		language("html", ".html"), language("css", ".css"), language("toml", ".toml"), language("yaml", ".yaml", ".yml"),
	}
}

func spelling() Table {
	return linters(
		Definition{
			ID: "typos", Languages: words(), Commands: run("typos-lsp"), Requires: []string{"typos.toml", "_typos.toml", ".typos.toml"}, Optional: true,
			Anew:    []string{"typos.toml", "_typos.toml", ".typos.toml"},
			Install: []string{cargo("typos-lsp"), homebrew("typos-lsp")},
		},
		Definition{
			ID: "codebook", Languages: words(), Commands: run("codebook-lsp", "serve"), Requires: []string{"codebook.toml", ".codebook.toml"}, Optional: true,
			Anew:    []string{"codebook.toml", ".codebook.toml"},
			Install: []string{cargo("codebook-lsp"), homebrew("codebook-lsp")},
		},
		Definition{
			ID: "vale", Languages: []Language{
				language("markdown", ".md", ".markdown"), language("asciidoc", ".adoc"), language("restructuredtext", ".rst"), language("html", ".html"),
				language("latex", ".tex"), language("plaintext", ".txt"),
			},
			Commands: run("vale-ls"), Requires: []string{".vale.ini"}, Optional: true,
			Install: []string{homebrew("vale"), cargo("vale-ls")},
		},
		// The rules are the project's own.
		Definition{
			ID: "ast-grep",
			Languages: append(javaScriptAndTypeScript(),
				language("go", ".go"), language("rust", ".rs"), language("python", ".py", ".pyi"), language("java", ".java"), language("kotlin", ".kt"),
				language("ruby", ".rb"), language("php", ".php"), language("lua", ".lua"), language("swift", ".swift"), language("scala", ".scala"),
				language("csharp", ".cs"), language("c", ".c"), language("cpp", ".h", ".cc", ".cpp", ".cxx", ".hpp"), language("shellscript", ".sh"),
				language("html", ".html"), language("css", ".css"), language("haskell", ".hs"), language("elixir", ".ex", ".exs")),
			Commands: run("ast-grep", "lsp"), Requires: []string{"sgconfig.yml", "sgconfig.yaml"}, Optional: true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     append(npm("@ast-grep/cli"), cargo("ast-grep --locked")),
		},
	)
}
