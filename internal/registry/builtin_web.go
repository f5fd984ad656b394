package registry

import (
	"encoding/json"
	"time"
)

// What is written for browsers, but scripts.

// extracted is one of the servers that were taken out of VS Code.
func extracted(id string, languages []Language, options, settings string) Definition {
	return Definition{
		ID:                    id,
		Languages:             languages,
		Commands:              stdio("vscode-" + id + "-language-server"),
		Roots:                 []string{"package.json"},
		SingleFile:            true,
		InitializationOptions: json.RawMessage(options),
		Settings:              json.RawMessage(settings),
		Diagnostics:           pulled(),
		Optional:              true,
		Tested:                CI,
		Install:               npm("vscode-langservers-extracted"),
	}
}

func markup() Table {
	return listed(
		extracted("css", []Language{language("css", ".css"), language("scss", ".scss"), language("less", ".less")},
			`{"provideFormatter":true}`, `{"css":{"validate":true,"lint":{}},"scss":{"validate":true,"lint":{}},"less":{"validate":true,"lint":{}}}`),
		extracted("html", only("html", ".html", ".htm", ".xhtml"),
			`{"provideFormatter":true,"embeddedLanguages":{"css":true,"javascript":true}}`,
			`{"css":{"validate":true},"html":{"validate":{"styles":true,"scripts":true}},"javascript":{}}`),
		// It abbreviates and completes, and diagnoses nothing.
		Definition{
			ID: "emmet",
			Languages: []Language{
				language("html", ".html", ".htm"), language("css", ".css"), language("scss", ".scss"), language("sass", ".sass"), language("less", ".less"),
				language("javascriptreact", ".jsx"), language("typescriptreact", ".tsx"),
				language("vue", ".vue"), language("svelte", ".svelte"), language("astro", ".astro"),
			},
			Commands:   []Command{{Binary: "emmet-language-server", Args: []string{"--stdio"}}, {Binary: "emmet-ls", Args: []string{"--stdio"}}},
			SingleFile: true,
			Role:       DiagnosticsOnly,
			Optional:   true,
			OptIn:      true,
			Install:    npm("@olrtg/emmet-language-server"),
		},
		// The indented syntax, which the server for CSS does not read.
		Definition{
			ID:          "some-sass",
			Languages:   only("sass", ".sass"),
			Commands:    stdio("some-sass-language-server"),
			Roots:       []string{"package.json"},
			SingleFile:  true,
			Settings:    json.RawMessage(`{"somesass":{"sass":{"diagnostics":{"enabled":true}}}}`),
			Optional:    true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     npm("some-sass-language-server"),
		},
		Definition{
			ID:          "herb",
			Languages:   only("erb", ".erb"),
			Commands:    stdio("herb-language-server"),
			Roots:       []string{".herb.yml", "Gemfile"},
			SingleFile:  true,
			Optional:    true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     npm("@herb-tools/language-server"),
		},
		Definition{
			ID:          "shopify-theme",
			Languages:   only("liquid", ".liquid"),
			Commands:    run("shopify", "theme", "language-server"),
			Roots:       []string{".theme-check.yml", ".theme-check.yaml", "shopify.theme.toml", ".shopifyignore"},
			SingleFile:  true,
			Optional:    true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     npm("@shopify/cli"),
		},
	)
}

// workspaceTypeScript: where the root holds TypeScript 5 in its node_modules, which is
// what these servers are written for. The path is taken from the root.
const workspaceTypeScript = `"typescript":{"tsdk":"node_modules/typescript/lib"}`

// scriptRenames: a rename of what a component imports renames it, as where scripts import it, instead of
// giving the import another name.
const scriptRenames = `{"typescript":{"preferences":{"useAliasesForRenames":false}},"javascript":{"preferences":{"useAliasesForRenames":false}}}`

// byPart is of servers that publish what is wrong with the syntax first, and what
// is wrong with the types 200 to 400 ms later, or seconds later where the types are
// not loaded: that is done when the tokens are told, which need them.
func byPart(tokens string) Diagnostics {
	return Diagnostics{Outside: OutsideTouch, BarrierMethod: "textDocument/semanticTokens/" + tokens, Quiet: 500 * time.Millisecond}
}

func frameworks() Table {
	return listed(
		Definition{
			ID:                    "astro",
			Languages:             only("astro", ".astro"),
			Commands:              stdio("astro-ls"),
			Roots:                 []string{"astro.config.mjs", "astro.config.ts", "astro.config.js", "package.json"},
			InitializationOptions: json.RawMessage(`{` + workspaceTypeScript + `}`),
			Settings:              json.RawMessage(scriptRenames),
			Diagnostics:           byPart("full"),
			Tested:                CI,
			Quirks:                []Quirk{BesideOpened},
			Wording:               scriptWording,
			Install:               npm("@astrojs/language-server typescript@5.9"),
		},
		// It judges a template only in a project of Ember.
		Definition{
			ID:          "ember",
			Languages:   only("handlebars", ".hbs", ".handlebars"),
			Commands:    stdio("ember-language-server"),
			Roots:       []string{"ember-cli-build.js"},
			Requires:    []string{"ember-cli-build.js"},
			Optional:    true,
			Diagnostics: Diagnostics{Outside: OutsideTouch, Unsure: "without the linter of the project it says that nothing is wrong"},
			Install:     npm("@ember-tooling/ember-language-server"),
		},
		Definition{
			ID:          "marko",
			Languages:   only("marko", ".marko"),
			Commands:    stdio("marko-language-server"),
			Roots:       []string{"tsconfig.json", "package.json"},
			Diagnostics: provoked("</lspine>"),
			Tested:      CI,
			Install:     npm("@marko/language-server"),
		},
		Definition{
			ID:                    "mdx",
			Languages:             only("mdx", ".mdx"),
			Commands:              stdio("mdx-language-server"),
			Roots:                 []string{"package.json"},
			InitializationOptions: json.RawMessage(`{"typescript":{"enabled":true,"tsdk":"node_modules/typescript/lib"}}`),
			Settings:              json.RawMessage(scriptRenames),
			Diagnostics:           byPart("full"),
			Optional:              true,
			Tested:                CI,
			Install:               npm("@mdx-js/language-server typescript@5.9"),
		},
		Definition{
			ID:          "svelte",
			Languages:   only("svelte", ".svelte"),
			Commands:    stdio("svelteserver"),
			Roots:       []string{"svelte.config.js", "svelte.config.mjs", "svelte.config.ts", "package.json"},
			Diagnostics: pulled(),
			Tested:      CI,
			Quirks:      []Quirk{BesideNotified},
			Wording:     scriptWording,
			Install:     npm("svelte-language-server typescript@5.9"),
		},
		// Version 3 leaves types to a tsserver with a plug-in of its own, to which the
		// client must carry its questions; alone it never answers. Version 2 works alone,
		// when it is not hybrid.
		Definition{
			ID:        "vue",
			Languages: only("vue", ".vue"),
			Commands: []Command{
				{Binary: "vue-language-server", Args: []string{"--stdio"}, Package: &Package{Name: "@vue/language-server", MinMajor: 2, MaxMajor: 2}},
			},
			Roots:                 []string{"package.json"},
			InitializationOptions: json.RawMessage(`{"vue":{"hybridMode":false},` + workspaceTypeScript + `}`),
			Settings:              json.RawMessage(scriptRenames),
			Diagnostics:           byPart("range"),
			Tested:                CI,
			Quirks:                []Quirk{BesideOpened},
			Wording:               scriptWording,
			Install:               npm("@vue/language-server@2 typescript@5.9"),
		},
	)
}

func schemas() Table {
	return listed(
		Definition{
			ID:          "brighterscript",
			Languages:   []Language{language("brightscript", ".brs"), language("brighterscript", ".bs")},
			Commands:    run("bsc", "--lsp", "--stdio"),
			Roots:       []string{"bsconfig.json", "manifest"},
			Diagnostics: provoked("]"), Tested: CI,
			Install: npm("brighterscript"),
		},
		Definition{
			ID:          "cds-lsp",
			Languages:   only("cds", ".cds"),
			Commands:    stdio("cds-lsp"),
			Roots:       []string{"package.json"},
			Optional:    true,
			Diagnostics: provoked("entity LspineProvocation : LspineMissing {};"), Tested: CI,
			Install: npm("@sap/cds-lsp"),
		},
		// The glue is written as regular expressions; nobody saw more than missing steps.
		Definition{
			ID:          "cucumber",
			Languages:   only("cucumber", ".feature"),
			Commands:    stdio("cucumber-language-server"),
			Roots:       []string{"package.json"},
			SingleFile:  true,
			Settings:    json.RawMessage(`{"cucumber":{"features":["features/**/*.feature"],"glue":["features/**/*.ts","features/**/*.js"]}}`),
			Optional:    true,
			OptIn:       true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     npm("@cucumber/language-server"),
		},
		Definition{
			ID:        "graphql",
			Languages: only("graphql", ".graphql", ".gql", ".graphqls"),
			Commands:  run("graphql-lsp", "server", "-m", "stream"),
			Roots: []string{
				".graphqlrc", ".graphqlrc.json", ".graphqlrc.yaml", ".graphqlrc.yml", ".graphqlrc.js", ".graphqlrc.ts",
				"graphql.config.json", "graphql.config.yaml", "graphql.config.yml", "graphql.config.js", "graphql.config.ts",
			},
			Requires: []string{
				".graphqlrc", ".graphqlrc.json", ".graphqlrc.yaml", ".graphqlrc.yml", ".graphqlrc.js", ".graphqlrc.ts",
				"graphql.config.json", "graphql.config.yaml", "graphql.config.yml", "graphql.config.js", "graphql.config.ts",
			},
			Optional: true,
			Install:  npm("graphql-language-service-cli graphql"),
		},
		// It ends when its settings are not an object.
		Definition{
			ID:          "prisma",
			Languages:   only("prisma", ".prisma"),
			Commands:    stdio("prisma-language-server"),
			Roots:       []string{"prisma.config.ts", "schema.prisma", "package.json"},
			SingleFile:  true,
			Settings:    json.RawMessage(`{"prisma":{"enableDiagnostics":true}}`),
			Optional:    true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     npm("@prisma/language-server"),
		},
		Definition{
			ID:          "typespec",
			Languages:   only("typespec", ".tsp"),
			Commands:    stdio("tsp-server"),
			Roots:       []string{"tspconfig.yaml", "package.json"},
			SingleFile:  true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     npm("@typespec/compiler"),
		},
	)
}
