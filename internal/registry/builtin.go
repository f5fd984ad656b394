package registry

import (
	"cmp"
	"encoding/json"
	"runtime"
	"slices"
)

// Builtin returns the servers known without any configuration, by id. The caller
// owns the table. What is written in this file and of Java and Rust was measured
// with the real servers; the freshness matrix of the end-to-end suite keeps it
// true.
func Builtin() Table { return builtinOn(runtime.GOOS) }

// builtinOn returns the table of a system, named as runtime.GOOS does.
func builtinOn(system string) Table {
	groups := [...]Table{
		{clangd(), gopls(), jdtls(), pyright(), rustAnalyzer(), typescript(), typescriptLanguageServer()},
		{basedpyright(), vtsls()},
		otherScriptServers(), scriptLinters(), markup(), frameworks(), schemas(),
		otherPythonServers(), shells(), phpServers(), rubyServers(), perlServers(), luaServers(), numeric(),
		jvm(), dotnet(), mobile(), beam(), typed(), proofs(), compiled(), contracts(), hardware(),
		data(), databases(), prose(), spelling(), builds(), containers(), clouds(), interfaces(),
	}
	// Definitions are large: each is copied once. Every run of the program pays for it.
	var sorted []*Definition
	for _, group := range groups {
		for i := range group {
			sorted = append(sorted, &group[i])
		}
	}
	slices.SortFunc(sorted, func(a, b *Definition) int { return cmp.Compare(a.ID, b.ID) })
	table := make(Table, len(sorted))
	for i, d := range sorted {
		table[i] = *d
	}
	withPins(table, system)
	withExecution(table)
	return table
}

// goplsSettings: the hints and tokens are computed only when they are asked for; what it
// diagnoses by itself, after it loaded and when it hears of the disk, comes a second
// later, and takes no time of what is asked first.
const goplsSettings = `{"diagnosticsDelay":"1s","diagnosticsTrigger":"Save","pullDiagnostics":true,"semanticTokens":true,` +
	`"hints":{"assignVariableTypes":true,"compositeLiteralFields":true,"compositeLiteralTypes":true,"constantValues":true,` +
	`"functionTypeParameters":true,"parameterNames":true,"rangeVariableTypes":true}}`

func gopls() Definition {
	return Definition{
		ID:        "gopls",
		Tells:     []string{"gopls"},
		Languages: []Language{{"go", []string{".go"}}, {"go.mod", []string{"go.mod"}}, {"go.work", []string{"go.work"}}},
		Commands:  []Command{{Binary: "gopls"}},
		Roots:     []string{"go.work", "go.mod"},
		Lists:     []string{"go.work"},
		RenewedBy: []string{"go.work", "go.mod", "go.work.sum", "go.sum", "vendor/modules.txt"},
		Scope:     GoBuild,
		World:     GoWorld,
		Sharing:   TakesFolders,
		Role:      Primary,
		// Nothing is diagnosed after a change until it is asked for: the file by
		// a pull, the whole workspace by the command, which answers after the
		// last publish. So an answer about one file does not wait for its users.
		InitializationOptions: json.RawMessage(goplsSettings),
		Settings:              json.RawMessage(`{"gopls":` + goplsSettings + `}`),
		Diagnostics: Diagnostics{
			Strategies:     []Strategy{DiagnosisCommand},
			FileStrategies: []Strategy{Pull},
			Unpulled:       []string{"go.mod", "go.work"},
			AnnouncePull:   true,
			Commands: []CommandCall{{
				Command:   "gopls.diagnose_files",
				Arguments: []json.RawMessage{json.RawMessage(`{"Files":"${uris}"}`)},
				Result:    ResultPublished,
			}},
			ClosedFiles: ClosedPushes,
		},
		Lines:    byNewline(),
		Quirks:   []Quirk{OpenNewFolders, OpenReturned, ConfiguredBySaving, AnewSameTime, AnewProjectGone},
		Symptoms: goSymptoms,
		Wording:  goWording,
		Install:  []string{"go install golang.org/x/tools/gopls@latest"},
		Tested:   CI,
	}
}

func javaScriptAndTypeScript() []Language {
	return []Language{
		{"typescript", []string{".ts", ".mts", ".cts"}},
		{"typescriptreact", []string{".tsx"}},
		{"javascript", []string{".js", ".mjs", ".cjs"}},
		{"javascriptreact", []string{".jsx"}},
	}
}

// typescriptPreferences: the hints, and a rename that renames, instead of giving
// imports another name.
const typescriptPreferences = `{"preferences":{"useAliasesForRenames":false},"inlayHints":{"parameterNames":{"enabled":"all"},"variableTypes":{"enabled":true},"functionLikeReturnTypes":{"enabled":true}}}`

// typescript is the native server of TypeScript 7.
func typescript() Definition {
	return Definition{
		ID:        "typescript",
		Tells:     []string{"typescript-go"},
		Languages: javaScriptAndTypeScript(),
		Commands: []Command{
			{Binary: "tsc", Args: []string{"--lsp", "--stdio"}, Package: &Package{Name: "typescript", MinMajor: 7}},
			{Binary: "tsgo", Args: []string{"--lsp", "--stdio"}},
		},
		Roots:      []string{"tsconfig.json", "jsconfig.json", "package.json"},
		Sharing:    Discovers,
		Reads:      []string{".json"},
		Excludes:   []string{"deno.json", "deno.jsonc"},
		Scope:      TSConfig,
		SingleFile: true,
		Role:       Primary,
		Group:      "typescript",
		Rank:       3,
		Judges:     &Package{Name: "typescript", MinMajor: 7},
		Settings:   json.RawMessage(`{"typescript":` + typescriptPreferences + `,"javascript":` + typescriptPreferences + `}`),
		Diagnostics: Diagnostics{
			Unlisted:     "6307",
			Strategies:   []Strategy{Pull},
			AnnouncePull: true,
			ClosedFiles:  ClosedPull,
			Untold:       []string{"tsconfig*.json", "jsconfig*.json"},
		},
		Lines:    byLSP(),
		Quirks:   []Quirk{DeclarationsByHand, CountsBytes, AnewReturned, LosesReplaced, FindsPackagesSaved, AnswersFolderMoves, NamesByComment, BesideOpened},
		Symptoms: scriptSymptoms,
		Wording:  scriptWording,
		Install:  []string{"npm install --global typescript@7"},
		Tested:   CI,
	}
}

func typescriptLanguageServer() Definition {
	return Definition{
		ID:         "typescript-language-server",
		Tells:      []string{"_typescript.applyRenameFile"},
		Languages:  javaScriptAndTypeScript(),
		Commands:   []Command{{Binary: "typescript-language-server", Args: []string{"--stdio"}}},
		Roots:      []string{"tsconfig.json", "jsconfig.json", "package.json"},
		Sharing:    Discovers,
		Reads:      []string{".json"},
		Excludes:   []string{"deno.json", "deno.jsonc"},
		Scope:      TSConfig,
		SingleFile: true,
		Role:       Primary,
		Group:      "typescript",
		Rank:       4,
		Judges:     &Package{Name: "typescript", MaxMajor: 6},
		Library: &Library{
			Package: "typescript", File: "lib/tsserver.js",
			Options: json.RawMessage(`{"tsserver":{"path":"` + LibraryFolder + `"},"plugins":"` + LibraryPlugins + `"}`),
			Plugins: ComponentPlugins(),
		},
		// A second, syntax-only tsserver and the search for typings cost half of
		// the start and add nothing to diagnostics.
		InitializationOptions: json.RawMessage(`{"tsserver":{"useSyntaxServer":"never"},"disableAutomaticTypingAcquisition":true,"preferences":{` +
			`"includeInlayParameterNameHints":"all","includeInlayVariableTypeHints":true,"includeInlayFunctionLikeReturnTypeHints":true,"providePrefixAndSuffixTextForRename":false}}`),
		Diagnostics: Diagnostics{
			Unlisted:   "6307",
			Strategies: []Strategy{DiagnosisCommand, Settled},
			Commands: []CommandCall{
				tsserverRequest("syntacticDiagnosticsSync"),
				tsserverRequest("semanticDiagnosticsSync"),
			},
			Reload: &CommandCall{
				Command:   "typescript.tsserverRequest",
				Arguments: []json.RawMessage{json.RawMessage(`"reloadProjects"`), json.RawMessage(`{}`)},
				Result:    ResultPublished,
			},
			Home:        projectInfo(),
			Search:      navto(),
			Outside:     OutsideReload,
			ClosedFiles: ClosedCommand,
		},
		Lines:    byECMAScript(),
		Quirks:   []Quirk{DeclarationsByHand, LoadsByOpening, FindsPackagesSaved, ReplacesByLines, BesideRequested},
		Symptoms: scriptSymptoms,
		Wording:  scriptWording,
		Install:  []string{"npm install --global typescript-language-server@5 typescript@5.9"},
		Tested:   CI,
	}
}

// tsserverRequest asks tsserver itself, past the debounce of the LSP server.
func tsserverRequest(name string) CommandCall {
	quoted, _ := json.Marshal(name)
	return CommandCall{
		Command: "typescript.tsserverRequest",
		Arguments: []json.RawMessage{
			quoted,
			json.RawMessage(`{"file":"${path}","includeLinePosition":false}`),
		},
		Result: ResultTSServer,
	}
}

// projectInfo asks tsserver for the project of a file.
func projectInfo() *CommandCall {
	return &CommandCall{
		Command:   "typescript.tsserverRequest",
		Arguments: []json.RawMessage{json.RawMessage(`"projectInfo"`), json.RawMessage(`{"file":"${path}","needFileNameList":false}`)},
	}
}

// navto asks tsserver for symbols of all projects that it has loaded.
func navto() *CommandCall {
	return &CommandCall{
		Command:   "typescript.tsserverRequest",
		Arguments: []json.RawMessage{json.RawMessage(`"navto"`), json.RawMessage(`{"searchValue":"` + SearchQuery + `"}`)},
	}
}

const pyrightAnalysis = `{"diagnosticMode":"openFilesOnly","autoSearchPaths":true}`

func pyright() Definition {
	return Definition{
		ID:         "pyright",
		Tells:      []string{"pyright"},
		Languages:  python(),
		Commands:   stdio("pyright-langserver"),
		Roots:      pythonRoots("pyrightconfig.json"),
		Reads:      []string{".json"}, // what its configuration extends
		Scope:      Pyright,
		Sharing:    TakesFolders,
		SingleFile: true,
		Role:       Primary,
		Group:      "python-types",
		Rank:       1,
		// It waits for a second before it reads its configuration again.
		Anew:      []string{"pyrightconfig.json", "pyproject.toml"},
		LoadedLog: `^(Found \d+ source files?|No source files found)`,
		Settings:  json.RawMessage(`{"python":{"analysis":` + pyrightAnalysis + `}}`),
		// Asked for the packages of an interpreter it runs that.
		Environment: &Environment{
			Paths:       json.RawMessage(`{"python":{"analysis":{"extraPaths":"` + PackagePaths + `"}}}`),
			Interpreter: json.RawMessage(`{"python":{"pythonPath":"` + Interpreter + `"}}`),
		},
		Diagnostics: Diagnostics{
			Strategies:   []Strategy{Pull, Versioned},
			AnnouncePull: true,
			FullReports:  true,
			ClosedFiles:  ClosedOpen,
		},
		Lines:    byLSP(),
		Quirks:   []Quirk{ChangeAfterOpen, ConfirmErrors, DeclarationsByHand, OpenCreated, KeepReferences, ReadsOtherFolders, FindsSaved, AnewLibraries, AnewSameTime},
		Symptoms: pythonSymptoms,
		Install:  []string{"npm install --global pyright", "pip install pyright"},
		Tested:   CI,
	}
}

// CompilationDatabases are where the usual tools put one, besides where clangd looks.
func CompilationDatabases() []string {
	return []string{
		"out/compile_commands.json", "cmake-build-*/compile_commands.json", "build-*/compile_commands.json", "builddir/compile_commands.json",
		"_build/compile_commands.json", ".build/compile_commands.json", "build/*/compile_commands.json", "out/*/compile_commands.json",
		"out/build/*/compile_commands.json", "Debug/compile_commands.json", "Release/compile_commands.json",
	}
}

func clangd() Definition {
	return Definition{
		ID:    "clangd",
		Tells: []string{"clangd"},
		Languages: []Language{
			{"c", []string{".c"}},
			{"cpp", []string{
				".h", ".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".txx", ".tcc", ".cppm", ".ixx",
			}},
			{"objective-c", []string{".m"}},
			{"objective-cpp", []string{".mm"}},
			{"cuda-cpp", []string{".cu"}},
		},
		Commands: []Command{
			{Binary: "clangd", Args: []string{"--background-index", "--use-dirty-headers", "-j=" + Jobs}},
			{Binary: "clangd-22", Args: []string{"--background-index", "--use-dirty-headers", "-j=" + Jobs}},
			{Binary: "clangd-19", Args: []string{"--background-index", "--use-dirty-headers", "-j=" + Jobs}},
			{Binary: "clangd-14", Args: []string{"--background-index", "--use-dirty-headers", "-j=" + Jobs}},
		},
		Roots: []string{
			"compile_commands.json", "compile_flags.txt", ".clangd", "CMakeLists.txt", "Makefile",
		},
		Sharing: Discovers,
		Reads:   []string{".def", ".inc"},
		// It would stop after 20 errors in a file and say that, as one more. Where it looks
		// for its configuration elsewhere (macOS, Windows), it does.
		UserConfig: &UserConfig{
			Variable: "XDG_CONFIG_HOME", Default: ".config", File: "clangd/config.yaml",
			Addition:  "---\nCompileFlags:\n  Add: [-ferror-limit=0]\n",
			Elsewhere: "---\nIf:\n  PathMatch: '" + ProjectFiles + "'\nCompileFlags:\n  CompilationDatabase: '" + FoundFolder + "'\n",
		},
		// It looks at them when seconds have passed since it did.
		Anew:       []string{"compile_commands.json", "compile_flags.txt", ".clangd"},
		SingleFile: true,
		Role:       Primary,
		Group:      "c",
		Rank:       1,
		// The background index, which knows the files that are not open.
		Loading:          []string{"indexing"},
		AnnouncesLoading: true,
		LoadsBy:          []string{"compile_commands.json", "build/compile_commands.json"},
		Elsewhere:        CompilationDatabases(),
		Diagnostics: Diagnostics{
			Omits:         []string{" (fix available)", " (fixes available)"}, // whether there is one depends on its index
			Strategies:    []Strategy{Barrier, Versioned},
			BarrierMethod: "textDocument/documentSymbol",
			Outside:       OutsideReopen,
			ClosedFiles:   ClosedOpen,
		},
		Lines:    &Lines{Reported: "\r", Torn: "\r"},
		Quirks:   []Quirk{OpenChanged, TogglesDefinition, BesideOpened},
		Symptoms: cSymptoms,
		Wording:  clangWording,
		Install:  []string{"apt-get install clangd", "brew install llvm"},
		Tested:   CI,
	}
}
