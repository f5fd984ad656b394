package language

// An ID names a language as LSP does, "" for files of none.
type ID string

// The languages that rooms have a room's worth of knowledge of beside this data: how their files
// are read, built or set up. A room chooses what it knows of one by its ID, in a table or a switch.
const (
	Go              ID = "go"
	Rust            ID = "rust"
	Python          ID = "python"
	TypeScript      ID = "typescript"
	TypeScriptReact ID = "typescriptreact"
	JavaScript      ID = "javascript"
	JavaScriptReact ID = "javascriptreact"
	Vue             ID = "vue"
	Svelte          ID = "svelte"
	Astro           ID = "astro"
	C               ID = "c"
	CPP             ID = "cpp"
	TOML            ID = "toml"
	ObjectiveC      ID = "objective-c"
	ObjectiveCPP    ID = "objective-cpp"
	CUDA            ID = "cuda-cpp"
	Java            ID = "java"
	Kotlin          ID = "kotlin"
	CSharp          ID = "csharp"
	Scala           ID = "scala"
	PHP             ID = "php"
	Swift           ID = "swift"
)

// A Family is languages whose files bring in each other. The zero one is of languages of which
// that is not known.
type Family int

// The families. A file of one family never brings in a file of another.
const (
	ScriptFamily Family = iota + 1 // JavaScript, TypeScript, and components that hold either
	PythonFamily
	NativeFamily // C, C++ and their dialects
	GoFamily
	JVMFamily
)

// A ResultType says where the type of a function's result is written.
type ResultType int

const (
	// AfterColon: behind the parameters and a colon. Where it is not written it follows from the
	// body. Languages that are not listed are taken for such.
	AfterColon ResultType = iota
	// AfterArrow: behind ->. Where it is not written it follows from the body.
	AfterArrow
	// Always: it is never left out.
	Always
	// UnlessTemplate: it is never left out, but that of a template follows from the body.
	UnlessTemplate
)
