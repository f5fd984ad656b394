package registry

import "encoding/json"

// byNode keeps a server that runs in Node.js from what a project brings: where a workspace is not trusted, Node.js loads no module
// that lies in it.
func byNode(lacks string, by ...string) *Restraint {
	return &Restraint{ByNode: true, KeepsDisk: true, Lacks: lacks, LacksBy: by}
}

const (
	documented = "its documentation"
	tried      = "tried: e2e/untrusted"
	ofItsBuild = "the documentation of the build tool that it starts"
)

// rustRestraint: cargo reads no toolchain, wrapper or compiler of the project's configuration, asks nobody for packages (a project may
// name the program that has the password), and compiles nothing.
var rustRestraint = json.RawMessage(`{"checkOnSave":false,"cargo":{"buildScripts":{"enable":false}},` +
	`"procMacro":{"enable":false,"attributes":{"enable":false}}}`)

// environmentOfCargo are the keys by which a configuration of cargo gives its compiler variables, of which some have any
// program load a library (LD_PRELOAD), or reads another configuration.
var environmentOfCargo = []string{"env", "include"}

// executing are the servers that run something of a project.
var executing = map[string]Executes{
	"rust-analyzer": {
		What: ExecutesBuilds, How: "cargo check: build scripts, procedural macros, and what .cargo/config.toml and rust-toolchain.toml name", Source: tried,
		Restraint: &Restraint{
			Options: rustRestraint, Settings: json.RawMessage(`{"rust-analyzer":` + string(rustRestraint) + `}`),
			Env: []string{
				"CARGO_NET_OFFLINE=true", "RUSTC=rustc", "RUSTC_WRAPPER=", "RUSTC_WORKSPACE_WRAPPER=", "CARGO_BUILD_RUSTC=rustc",
				"CARGO_BUILD_RUSTC_WRAPPER=", "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER=", "CARGO_ENCODED_RUSTFLAGS=", "CARGO_ENCODED_RUSTDOCFLAGS=",
			},
			Lacks: "cargo check, build scripts and procedural macros", Sure: syntaxErrorOfRust,
			Undone:   []string{"rust-analyzer.toml", ".rust-analyzer.toml", "rust-project.json", ".cargo/config.toml", ".cargo/config"},
			UndoneBy: map[string][]string{".cargo/config.toml": environmentOfCargo, ".cargo/config": environmentOfCargo},
		},
	},
	"clangd": {
		What: ExecutesLibraries, How: "what flags of .clangd and of compilation databases ask of a compiler, some of which write files", Source: tried,
		Restraint: &Restraint{KeepsDisk: true, Args: []string{"--enable-config=0"}, Lacks: ".clangd", LacksBy: []string{".clangd"}, Flags: []string{"compile_commands.json", "compile_flags.txt"}},
	},
	"jdtls": {
		What: ExecutesBuilds, How: "Gradle's build scripts and wrapper, Maven's plug-ins, and annotation processors", Source: tried,
		Restraint: &Restraint{
			Options: json.RawMessage(`{"settings":` + javaRestraint + `}`), Settings: json.RawMessage(javaRestraint), KeepsDisk: true,
			Lacks: "the projects of Maven and Gradle", LacksBy: javaBuildFiles[:5], Sure: `^16106\d{5}$`, // those of its parser have two high bits
			Undone: []string{".factorypath"},
		},
	},
	"eslint":    {What: ExecutesLibraries, How: "the project's ESLint, its configuration and its plug-ins", Source: tried},
	"stylelint": {What: ExecutesLibraries, How: "the project's Stylelint, its configuration and its plug-ins", Source: tried},
	"tailwindcss": {
		What: ExecutesLibraries, How: "tailwind.config.js and the project's Tailwind CSS", Source: tried,
	},
	"svelte": {
		What: ExecutesLibraries, How: "svelte.config.js, and the project's Svelte and preprocessors", Source: tried,
		Restraint: &Restraint{
			Options: json.RawMessage(`{"isTrusted":false}`), KeepsDisk: true,
			Lacks: "svelte.config.js and its preprocessors", LacksBy: []string{"svelte.config.js", "svelte.config.cjs", "svelte.config.mjs", "svelte.config.ts"},
		},
	},
	"vue":   {What: ExecutesLibraries, How: "the project's TypeScript, and plug-ins of vueCompilerOptions in tsconfig.json", Source: tried},
	"astro": {What: ExecutesLibraries, How: "the project's TypeScript, Prettier and their plug-ins", Source: tried},
	"mdx":   {What: ExecutesLibraries, How: "the project's TypeScript, and plug-ins of remark that tsconfig.json names", Source: tried},
	"marko": {What: ExecutesLibraries, How: "the project's compiler and tags", Source: documented, Restraint: byNode("the project's own tags", "marko.json")},
	"typescript-language-server": {
		What: ExecutesLibraries, How: "the project's TypeScript, and plug-ins of tsserver", Source: tried, Restraint: byNode(""),
	},
	"vtsls":   {What: ExecutesLibraries, How: "the project's TypeScript, and plug-ins of tsserver", Source: tried, Restraint: byNode("")},
	"angular": {What: ExecutesLibraries, How: "the project's TypeScript and Angular", Source: documented},
	"ember":   {What: ExecutesLibraries, How: "addons of the project", Source: documented},
	"flow":    {What: ExecutesLibraries, How: "the module mapper and preprocessors of .flowconfig", Source: documented},
	"oxlint": {
		What: ExecutesLibraries, How: "jsPlugins of its configuration", Source: documented, Restraint: byNode("plug-ins in JavaScript", "oxlint.config.ts"),
	},
	"graphql":        {What: ExecutesLibraries, How: "graphql.config.js", Source: documented},
	"prisma":         {What: ExecutesNothing, Source: documented},
	"typespec":       {What: ExecutesLibraries, How: "libraries and emitters of TypeSpec in node_modules", Source: documented},
	"cds-lsp":        {What: ExecutesLibraries, How: "plug-ins of CAP in node_modules", Source: documented},
	"rescript":       {What: ExecutesBuilds, How: "the project's compiler in node_modules, and its build", Source: documented},
	"brighterscript": {What: ExecutesLibraries, How: "plug-ins of bsconfig.json", Source: documented, Restraint: byNode("plug-ins of bsconfig.json", "bsconfig.json")},
	"shopify-theme":  {What: ExecutesLibraries, How: "checks in JavaScript that .theme-check.yml requires", Source: documented, Restraint: byNode("")},
	"herb":           {What: ExecutesLibraries, How: "rules of the linter in .herb", Source: documented, Restraint: byNode("")},
	"cucumber":       {What: ExecutesNothing, Source: documented},
	"elm":            {What: ExecutesLibraries, How: "the project's elm and elm-format in node_modules", Source: documented},
	"purescript":     {What: ExecutesBuilds, How: "the project's build command", Source: documented},
	"solidity":       {What: ExecutesLibraries, How: "hardhat.config.js", Source: documented},

	"pyright": {What: ExecutesNothing, Source: "tried: e2e/untrusted; the interpreter of the project is asked only in a trusted workspace"},
	"basedpyright": {
		What: ExecutesNothing, Source: "tried: e2e/untrusted; the interpreter of the project is asked only in a trusted workspace",
	},
	"pylsp":   {What: ExecutesLibraries, How: "plug-ins of mypy and others that setup.cfg and pyproject.toml name, and packages of the project's environment", Source: documented},
	"jedi":    {What: ExecutesLibraries, How: "the interpreter and compiled packages of the project's environment", Source: documented},
	"ruff":    {What: ExecutesNothing, Source: documented},
	"esbonio": {What: ExecutesBuilds, How: "Sphinx and conf.py", Source: documented},

	"ruby-lsp":   {What: ExecutesLibraries, How: "Bundler and the Gemfile, and add-ons", Source: documented},
	"rubocop":    {What: ExecutesLibraries, How: "what .rubocop.yml requires", Source: documented},
	"solargraph": {What: ExecutesLibraries, How: "plug-ins of .solargraph.yml and Bundler", Source: documented},
	"sorbet":     {What: ExecutesLibraries, How: "the project's srb, by Bundler", Source: documented},
	"puppet":     {What: ExecutesLibraries, How: "facts and functions of modules, in Ruby", Source: documented},
	"phpactor":   {What: ExecutesLibraries, How: "linters of vendor/bin that .phpactor.json names", Source: documented},

	"perlnavigator":       {What: ExecutesBuilds, How: "perl -c: BEGIN blocks and used modules", Source: documented},
	"perl-languageserver": {What: ExecutesBuilds, How: "perl -c: BEGIN blocks and used modules", Source: documented},
	"pls":                 {What: ExecutesBuilds, How: "perl -c: BEGIN blocks and used modules", Source: documented},
	"r":                   {What: ExecutesLibraries, How: ".Rprofile and .Renviron", Source: documented},
	"julia":               {What: ExecutesLibraries, How: "packages of the project, which it loads", Source: documented},
	"matlab":              {What: ExecutesLibraries, How: "startup.m", Source: documented},
	"powershell":          {What: ExecutesLibraries, How: "modules and analysis rules of the project", Source: documented},
	"racket":              {What: ExecutesBuilds, How: "macros, which it expands", Source: documented},

	"metals":                 {What: ExecutesBuilds, How: "sbt, Mill, Gradle or Maven", Source: ofItsBuild},
	"kotlin-lsp":             {What: ExecutesBuilds, How: "Gradle's or Maven's build", Source: ofItsBuild},
	"kotlin-language-server": {What: ExecutesBuilds, How: "Gradle's or Maven's build", Source: ofItsBuild},
	"groovy":                 {What: ExecutesBuilds, How: "transformations of the code, which it compiles", Source: documented},
	"clojure-lsp":            {What: ExecutesBuilds, How: "lein, clojure or boot, for the class path", Source: documented},
	"csharp-ls":              {What: ExecutesBuilds, How: "MSBuild, source generators and analyzers", Source: ofItsBuild},
	"omnisharp":              {What: ExecutesBuilds, How: "MSBuild, source generators and analyzers", Source: ofItsBuild},
	"roslyn":                 {What: ExecutesBuilds, How: "MSBuild, source generators and analyzers", Source: ofItsBuild},
	"fsautocomplete":         {What: ExecutesBuilds, How: "MSBuild, type providers and analyzers", Source: ofItsBuild},

	"sourcekit-lsp": {What: ExecutesBuilds, How: "Package.swift, plug-ins and macros", Source: ofItsBuild},
	"dart":          {What: ExecutesLibraries, How: "plug-ins of the analyzer", Source: documented},
	"elixir-ls":     {What: ExecutesBuilds, How: "mix: mix.exs and macros", Source: ofItsBuild},
	"expert":        {What: ExecutesBuilds, How: "mix: mix.exs and macros", Source: ofItsBuild},
	"lexical":       {What: ExecutesBuilds, How: "mix: mix.exs and macros", Source: ofItsBuild},
	"next-ls":       {What: ExecutesBuilds, How: "mix: mix.exs and macros", Source: ofItsBuild},
	"elp":           {What: ExecutesBuilds, How: "rebar3: rebar.config.script and plug-ins", Source: ofItsBuild},
	"erlang-ls":     {What: ExecutesBuilds, How: "parse transformations and escripts of the project", Source: documented},
	"hls":           {What: ExecutesBuilds, How: "cabal or stack, programs of hie.yaml, and Template Haskell", Source: ofItsBuild},
	"ocamllsp":      {What: ExecutesBuilds, How: "preprocessors that dune has built", Source: ofItsBuild},
	"lean":          {What: ExecutesBuilds, How: "lakefile.lean, and the code that it elaborates", Source: ofItsBuild},
	"coq":           {What: ExecutesLibraries, How: "plug-ins of the prover that the project builds", Source: documented},
	"nim":           {What: ExecutesBuilds, How: "macros, config.nims and .nimble files", Source: documented},
	"zls":           {What: ExecutesBuilds, How: "build.zig", Source: documented},
	"crystal":       {What: ExecutesBuilds, How: "macros, which may run programs", Source: documented},
	"serve-d":       {What: ExecutesBuilds, How: "dub and its commands", Source: documented},
	"nixd":          {What: ExecutesBuilds, How: "Nix, which evaluates the project", Source: documented},
	"dafny":         {What: ExecutesLibraries, How: "plug-ins of dfyconfig.toml", Source: documented},
	"luau":          {What: ExecutesLibraries, How: "plug-ins of its settings", Source: documented},
	"lua-language-server": {
		What: ExecutesLibraries, How: "the plug-in that .luarc.json names", Source: documented,
		Restraint: &Restraint{KeepsDisk: true, Undone: []string{".luarc.json", ".luarc.jsonc"}},
	},
	"emmylua": {What: ExecutesNothing, Source: documented},

	"golangci-lint": {What: ExecutesLibraries, How: "plug-ins that its configuration names", Source: documented},
	"terraform":     {What: ExecutesLibraries, How: "providers in .terraform", Source: documented, Restraint: &Restraint{KeepsDisk: true, Undone: []string{".terraform"}}},
	"tofu":          {What: ExecutesLibraries, How: "providers in .terraform", Source: documented, Restraint: &Restraint{KeepsDisk: true, Undone: []string{".terraform"}}},
	"tflint":        {What: ExecutesLibraries, How: "plug-ins in .tflint.d", Source: documented, Restraint: &Restraint{KeepsDisk: true, Undone: []string{".tflint.d"}}},
	"ansible":       {What: ExecutesLibraries, How: "plug-ins and inventories of the project", Source: documented},
	"vale":          {What: ExecutesNothing, Source: documented},
	"helm":          {What: ExecutesNothing, Source: documented},
	"buf":           {What: ExecutesLibraries, How: "plug-ins of buf.yaml", Source: documented, Restraint: &Restraint{KeepsDisk: true, Undone: []string{"buf.yaml", "buf.work.yaml"}}},
	"ast-grep":      {What: ExecutesLibraries, How: "parsers that sgconfig.yml names", Source: documented},
	"asm":           {What: ExecutesLibraries, How: "the compiler that .asm-lsp.toml or compile_commands.json names", Source: documented, Restraint: &Restraint{KeepsDisk: true, Undone: []string{".asm-lsp.toml", "compile_commands.json"}}},
	"ols":           {What: ExecutesLibraries, How: "the command that ols.json names", Source: documented, Restraint: &Restraint{KeepsDisk: true, Undone: []string{"ols.json"}}},
}

// readers are servers that only read.
var readers = []string{
	"ada", "awk", "azure-pipelines", "bash", "biome", "blueprint", "codebook", "css", "cue",
	"deno", "devsense-php", "dhall", "docker-compose", "dockerfile", "emmet", "fortran", "gitlab-ci", "gleam", "glsl", "gopls",
	"html", "intelephense", "json", "jsonnet", "just", "kcl", "lemminx", "marksman", "neocmake", "nginx", "nil", "opencl", "pkl",
	"postgres", "protobuf-language-server", "protols", "pyrefly", "rego", "slangd", "some-sass", "sqls", "sqruff", "squawk", "starpls",
	"taplo", "templ", "texlab", "thrift", "tinymist", "tombi", "ty", "typescript", "typos", "verible", "vhdl", "vim", "wgsl", "yaml", "zuban",
}

// javaRestraint: no build tool is started, and no processor of annotations runs.
const javaRestraint = `{"java":{"import":{"gradle":{"enabled":false},"maven":{"enabled":false}},"jdt":{"ls":{"androidSupport":{"enabled":false},"protobufSupport":{"enabled":false},"aspectjSupport":{"enabled":false},"kotlinSupport":{"enabled":false},"groovySupport":{"enabled":false}}}}}`
