package registry

import (
	"encoding/json"
	"slices"
)

// JavaScript, TypeScript, and the linters of what is written for browsers.

// vtsls speaks to the same tsserver as typescript-language-server, by the same
// commands.
func vtsls() Definition {
	d := typescriptLanguageServer()
	d.ID, d.Rank, d.Tells = "vtsls", 5, []string{"_vtsls.completionCacheCommand"}
	d.Commands = stdio("vtsls")
	// A change of a whole text leaves a tail of one with U+2028, and one by a range that ends behind
	// the text makes it crash: so nobody knows the lines of its text.
	d.Lines, d.Quirks = nil, slices.DeleteFunc(d.Quirks, func(q Quirk) bool { return q == ReplacesByLines })
	d.InitializationOptions = nil
	// It brings a TypeScript of its own, and would take that of the workspace unasked.
	d.Library = &Library{
		Package: "typescript", File: "lib/tsserver.js",
		Settings: json.RawMessage(`{"vtsls":{"typescript":{"globalTsdk":"` + LibraryFolder + `"},"tsserver":{"globalPlugins":"` + LibraryPlugins + `"}}}`),
		Plugins:  ComponentPlugins(),
	}
	// As for the other one: no second tsserver, and no search for typings.
	d.Settings = json.RawMessage(`{"vtsls":{"autoUseWorkspaceTsdk":false},` +
		`"typescript":{"disableAutomaticTypeAcquisition":true,"tsserver":{"useSyntaxServer":"never"},` + typescriptPreferences[1:] + `,` +
		`"javascript":` + typescriptPreferences + `}`)
	d.Install = npm("@vtsls/language-server")
	return d
}

func otherScriptServers() Table {
	return listed(
		Definition{
			ID:                    "deno",
			Languages:             javaScriptAndTypeScript(),
			Commands:              run("deno", "lsp"),
			Roots:                 []string{"deno.json", "deno.jsonc"},
			Requires:              []string{"deno.json", "deno.jsonc"},
			Group:                 "typescript",
			Rank:                  1,
			Env:                   []string{"DENO_NO_UPDATE_CHECK=1"},
			InitializationOptions: json.RawMessage(`{"enable":true,"lint":true}`),
			Settings:              json.RawMessage(`{"deno":{"enable":true,"lint":true}}`),
			Diagnostics:           pulled(),
			Quirks:                []Quirk{OpenCreated},
			Virtual:               []Virtual{{"deno", "deno/virtualTextDocument", json.RawMessage(`{"textDocument":{"uri":"${uri}"}}`)}},
			Tested:                CI,
			Wording:               scriptWording,
			Install:               append(npm("deno"), homebrew("deno")),
		},
		// Its own server for a root goes on after it ends, until "flow stop".
		Definition{
			ID:          "flow",
			Languages:   []Language{language("javascript", ".js", ".mjs", ".cjs"), language("javascriptreact", ".jsx")},
			Commands:    run("flow", "lsp"),
			Roots:       []string{".flowconfig"},
			Requires:    []string{".flowconfig"},
			Anew:        []string{".flowconfig"},
			Group:       "typescript",
			Rank:        2,
			Diagnostics: provoked("(lspineMissing: empty);"), Tested: CI,
			Install: npm("flow-bin"),
		},
		// It judges templates, beside a server for TypeScript, and finds TypeScript and its
		// own service only in the node_modules of its root. Nobody saw it diagnose without a
		// whole project.
		Definition{
			ID:        "angular",
			Languages: []Language{language("typescript", ".ts"), language("html", ".html")},
			Commands:  run("ngserver", "--stdio", "--tsProbeLocations", "node_modules", "--ngProbeLocations", "node_modules"),
			Roots:     []string{"angular.json", "nx.json"},
			Requires:  []string{"angular.json", "nx.json"},
			Role:      DiagnosticsOnly,
			OptIn:     true,
			Wording:   scriptWording,
			Install:   npm("@angular/language-server"),
		},
	)
}

// eslintSettings: without an object of this form it says nothing. It asks for the
// empty section. Everything is at its own default, but it must not wait for a save.
const eslintSettings = `{"validate":"on","run":"onType","packageManager":"npm","useESLintClass":true,"experimental":{},` +
	`"codeActionOnSave":{"enable":false,"mode":"all"},"format":false,"quiet":false,"onIgnoredFiles":"off","options":{},` +
	`"rulesCustomizations":[],"problems":{"shortenToSingleLine":false},"nodePath":null,"workingDirectory":{"mode":"location"},` +
	`"codeAction":{"disableRuleComment":{"enable":true,"location":"separateLine"},"showDocumentation":{"enable":true}}}`

// eslintConfigs are all names of its configuration but "eslintConfig" in a
// package.json, which no name tells.
func eslintConfigs() []string {
	return []string{
		"eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts", "eslint.config.mts", "eslint.config.cts",
		".eslintrc.js", ".eslintrc.cjs", ".eslintrc.yaml", ".eslintrc.yml", ".eslintrc.json", ".eslintrc",
	}
}

// withFrameworks are JavaScript, TypeScript, and what has them in blocks.
func withFrameworks() []Language {
	return append(javaScriptAndTypeScript(), language("vue", ".vue"), language("svelte", ".svelte"), language("astro", ".astro"))
}

func scriptLinters() Table {
	return linters(
		Definition{
			ID: "biome",
			Languages: append(withFrameworks(),
				language("json", ".json"), language("jsonc", ".jsonc"), language("css", ".css"), language("graphql", ".graphql", ".gql"), language("html", ".html")),
			Commands:    run("biome", "lsp-proxy"),
			Requires:    []string{"biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc"},
			Diagnostics: Diagnostics{Outside: OutsideTouch, Strategies: []Strategy{Versioned}},
			Tested:      CI,
			Install:     append(npm("@biomejs/biome"), homebrew("biome")),
		},
		// It needs the project's own eslint.
		Definition{
			ID:          "eslint",
			Tells:       []string{"eslint", "eslint.applySingleFix"},
			Languages:   withFrameworks(),
			Commands:    stdio("vscode-eslint-language-server"),
			Requires:    eslintConfigs(),
			Anew:        append(eslintConfigs(), ".eslintignore"), // it keeps what it has loaded
			Settings:    json.RawMessage(eslintSettings),
			Diagnostics: pulled(),
			Unable: []Unable{
				{Method: "eslint/noLibrary", URI: "source.uri", Reason: "no eslint is installed for the file"},
				{Method: "eslint/noConfig", URI: "document.uri", Reason: "it finds no configuration for the file"},
				{Method: "eslint/status", URI: "uri", Member: "state", Value: "3", Reason: "it failed"},
			},
			// What it reports is eslint's; an edit is by the positions of the library for servers.
			Lines:   &Lines{Read: ecmaScriptEnds, Reported: ecmaScriptEnds, Edited: "\r"},
			Tested:  CI,
			Install: npm("vscode-langservers-extracted"),
		},
		// It says that it answers pulls, and answers at once that there is nothing; so it
		// is not asked. Its first publish may come without a version.
		Definition{
			ID:          "oxlint",
			Languages:   withFrameworks(),
			Commands:    []Command{{Binary: "oxlint", Args: []string{"--lsp"}}, {Binary: "oxc_language_server"}},
			Requires:    []string{".oxlintrc.json", ".oxlintrc.jsonc", "oxlint.config.ts"},
			Diagnostics: touched(),
			Tested:      CI,
			Install:     npm("oxlint"),
		},
		Definition{
			ID: "stylelint",
			Languages: []Language{
				language("css", ".css"), language("scss", ".scss"), language("sass", ".sass"), language("less", ".less"), language("vue", ".vue"),
			},
			Commands: []Command{{Binary: "stylelint-lsp", Args: []string{"--stdio"}}, {Binary: "stylelint-language-server", Args: []string{"--stdio"}}},
			Requires: []string{
				"stylelint.config.js", "stylelint.config.mjs", "stylelint.config.cjs", "stylelint.config.ts", ".stylelintrc.json", ".stylelintrc.yaml",
				".stylelintrc.yml", ".stylelintrc.js", ".stylelintrc.mjs", ".stylelintrc.cjs", ".stylelintrc",
			},
			Settings:    json.RawMessage(`{"stylelintplus":{"enable":true,"autoFixOnSave":false}}`),
			Optional:    true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     npm("stylelint-lsp"),
		},
		// Version 4 of Tailwind needs no such file; then it is not found.
		Definition{
			ID: "tailwindcss",
			Languages: []Language{
				language("css", ".css"), language("scss", ".scss"), language("less", ".less"), language("html", ".html"),
				language("javascriptreact", ".jsx"), language("typescriptreact", ".tsx"),
				language("vue", ".vue"), language("svelte", ".svelte"), language("astro", ".astro"),
			},
			Commands:    stdio("tailwindcss-language-server"),
			Requires:    []string{"tailwind.config.js", "tailwind.config.cjs", "tailwind.config.mjs", "tailwind.config.ts"},
			Settings:    json.RawMessage(`{"tailwindCSS":{"validate":true,"includeLanguages":{},"lint":{"invalidApply":"error","cssConflict":"warning"}},"editor":{"tabSize":2}}`),
			Optional:    true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     npm("@tailwindcss/language-server"),
		},
	)
}
