package language

import "github.com/lspine/lspine/internal/lazyregexp"

// languages are those of which something is known. An ending is of one.
var languages = []Language{
	{
		ID: Go, Endings: []string{".go"}, Family: GoFamily, Result: Always, Keywords: goKeywords,
		Least: lazyregexp.New(`\A(?:[ \t\r]*\n|[ \t]*//[^\n]*\n|(?s:/\*.*?\*/))*package[ \t]+\w+|(?m:^package[ \t]+\w+)`), Clause: lazyregexp.New(`(?m)^package\s+(\w+)`),
		// The compiler knows no other rule for files of tests than what holds for all.
		TestFunctions: []string{"Test", "Benchmark", "Fuzz", "Example"},
		Tests:         lazyregexp.New(`(?m)^func (?:\([^)]*\) )?(?:Test|Benchmark|Fuzz|Example)`),
	},
	{
		ID: Rust, Endings: []string{".rs"}, Lifetimes: true, Result: Always, FolderNames: []string{"mod", "lib"},
		Keywords: rustKeywords, Contextual: rustContextual,
		Aliases:     []*Statement{statement("use", `^[ \t]*(?:#\[[^\]\n]*\][ \t]*)*(?:pub(?:[ \t]*\([^)\n]*\))?[ \t]+)?use[ \t]+(?:[\w:#{},\s*]|//[^\n]*)*`)},
		Parts:       lazyregexp.New(`(?m)^[ \t]*(?:pub(?:[ \t]*\([^)\n]*\))?[ \t]+)?mod[ \t]+(\w+)[ \t]*;`),
		TestFolders: true, TestMark: "#[cfg(test)]", TestModules: []string{"tests", "test"},
		Tests: lazyregexp.New(`#\[(?:\w+::)*\w*test|#\[(?:rstest|case)\b|\b(?:proptest|quickcheck)!`),
	},
	{
		ID: Python, Endings: []string{".py", ".pyi"}, Family: PythonFamily, TestFamily: PythonFamily,
		Lexis: pythonLexis, Keywords: pythonKeywords, Contextual: pythonContextual, Reserved: pythonReserved, HashComments: true, Indented: true, Result: AfterArrow, Gap: "\n\n",
		Imports:      statement("import", `^[ \t]*(?:from[ \t]+\S+[ \t]+)?import\b[ \t]*(?:\([^)]*\)|[^\n]*)`),
		Aliases:      []*Statement{statement("import", `^(?:[^\n#'"]*[;:])?[ \t]*(?:from[ \t]+\S+[ \t]+)?import\b[ \t]*(?:\([^)]*\)|(?:\\\r?\n|[^\n])*)`)},
		FolderNames:  []string{"__init__"},
		TestPrefixes: []string{"test_"}, TestNames: []string{"conftest"}, TestFolders: true, TestFunctions: []string{"test"},
		Tests:      lazyregexp.New(`(?m)^[ \t]*(?:async[ \t]+)?def[ \t]+test|^class[ \t]+Test|TestCase\b|^[ \t]*>>>`),
		Fixtures:   lazyregexp.New(`(?m)^[ \t]*@[\w.]*fixture\b`),
		Formatters: "ruff format %s   or   black %s",
	},

	typed(TypeScript, ".ts", ".mts", ".cts"),
	typed(TypeScriptReact, ".tsx"),
	plain(JavaScript, ".js", ".mjs", ".cjs"),
	plain(JavaScriptReact, ".jsx"),
	component(Vue, ".vue"),
	component(Svelte, ".svelte"),
	{ID: Astro, Endings: []string{".astro"}, Family: ScriptFamily, Lexis: typedLexis, Compiled: true, TestFolders: true},

	{ID: C, Endings: []string{".c"}, Family: NativeFamily, TestFamily: NativeFamily, Lexis: nativeLexis, Keywords: nativeKeywords, Result: Always, TestFolders: true, Tests: nativeTests, C: true},
	{
		ID: CPP, Endings: []string{".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"}, Headers: []string{".h", ".hh", ".hpp", ".hxx"},
		Family: NativeFamily, TestFamily: NativeFamily, Lexis: nativeLexis, Keywords: nativeKeywords, Result: UnlessTemplate, TestFolders: true, Tests: nativeTests, C: true,
	},
	dialect(ObjectiveC, ".m"),
	dialect(ObjectiveCPP, ".mm"),
	dialect(CUDA, ".cu", ".cuh"),
	dialect("", ".inl", ".ipp", ".tpp", ".txx", ".tcc", ".inc", ".def", ".cppm", ".ixx"), // parts of other files, and modules

	{ID: Java, Tests: jvmTests, Endings: []string{".java"}, Keywords: jvmKeywords, Family: JVMFamily, TestFamily: JVMFamily, Result: Always, TestPrefixes: testPrefix, TestSuffixes: testSuffixes, TestFolders: true},
	{ID: Kotlin, Tests: jvmTests, Endings: []string{".kt"}, Keywords: jvmKeywords, Family: JVMFamily, TestFamily: JVMFamily, Result: Always, TestPrefixes: testPrefix, TestSuffixes: testSuffixes, TestFolders: true},
	{ID: CSharp, Endings: []string{".cs"}, Result: Always, TestPrefixes: testPrefix, TestSuffixes: testSuffixes, TestFolders: true},
	{ID: Scala, Endings: []string{".scala"}, TestPrefixes: testPrefix, TestSuffixes: testSuffixes, TestFolders: true},
	{ID: PHP, Endings: []string{".php"}, TestPrefixes: testPrefix, TestSuffixes: testSuffixes, TestFolders: true},
	{ID: Swift, Endings: []string{".swift"}, TestPrefixes: testPrefix, TestSuffixes: testSuffixes, TestFolders: true},

	hashed("ruby", ".rb"),
	hashed("shellscript", ".sh", ".bash"),
	hashed("yaml", ".yaml", ".yml"),
	hashed(TOML, ".toml"),
	hashed("perl", ".pl"),
	hashed("r", ".r"),
	hashed("julia", ".jl"),
	hashed("elixir", ".ex", ".exs"),
	hashed("nix", ".nix"),
}

var (
	testPrefix   = []string{"Test"}
	testSuffixes = []string{"Test", "Tests"}
)

// What only files with tests have, whoever runs them. A program is a test itself; what asserts may
// help others.
var (
	scriptTests = lazyregexp.New(`(?m)(?:^|[^\w$.])(?:describe|test|it|suite|specify|bench|tap|QUnit|Deno\.test|fixture)(?:\.\w+)*\s*[(` + "`" + `]|\b\w*[tT]est(?:er)?\.(?:run|test)\(|\bt\.test\(`)
	nativeTests = lazyregexp.New(`\b(?:\w*TEST\w*|\w*SCENARIO|BOOST_\w+|START_TEST|RUN_TEST)\s*\(|\bmain\s*\(`)
	jvmTests    = lazyregexp.New(`@(?:\w+\.)*\w*(?:Test|Tests|Testable|Theory|Property|Scenario|Fact)\b|\bextends\s+\w*(?:TestCase|Test|Tests|Spec)\b|:\s*\w*(?:Spec|TestCase)\(`)
)

var scriptImports = statement("import", `^[ \t]*import\b[^;'"]*['"][^'"\n]*['"]`)

var scriptAliases = []*Statement{
	statement("import", `^(?:[^\n]*;)?[ \t]*import\s*(?:type\s*)?(?:[\w$]+\s*,\s*)?\{[^}]*\}`),
	statement("export", `^(?:[^\n]*;)?[ \t]*export\s*(?:type\s*)?\{[^}]*\}`),
}

// component is a language whose files hold scripts among other things.
func component(id ID, endings ...string) Language {
	return Language{
		ID: id, Endings: endings, Family: ScriptFamily, Lexis: typedLexis, Keywords: scriptKeywords, Contextual: scriptContextual, Reserved: scriptReserved, FreeMembers: true, Compiled: true,
		Imports: scriptImports, Aliases: scriptAliases, FolderNames: []string{IndexName}, TestFolders: true, Undocumented: true,
	}
}

// typed is a kind of TypeScript.
func typed(id ID, endings ...string) Language {
	l := component(id, endings...)
	l.TestFamily, l.Tests = ScriptFamily, scriptTests
	return l
}

// plain is a kind of JavaScript.
func plain(id ID, endings ...string) Language {
	l := typed(id, endings...)
	l.Lexis, l.Compiled = plainLexis, false
	return l
}

// dialect is what C and C++ bring in, and of which no more is known.
func dialect(id ID, endings ...string) Language {
	return Language{ID: id, Endings: endings, Family: NativeFamily, Lexis: nativeLexis, Keywords: nativeKeywords, TestFolders: true}
}

// hashed is a language of which it is known how a comment begins.
func hashed(id ID, endings ...string) Language {
	return Language{ID: id, Endings: endings, HashComments: true, TestFolders: true}
}
