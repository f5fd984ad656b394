package registry

// A Scope is a way in which projects say which files are a part of them.
type Scope string

const (
	// Everywhere: they do not say it.
	Everywhere Scope = ""
	// TSConfig: files, include and exclude of tsconfig.json and its like.
	TSConfig Scope = "tsconfig"
	// Pyright: include and exclude of pyrightconfig.json, or of pyproject.toml.
	Pyright Scope = "pyright"
	// GoBuild: constraints in Go files and in their names. Nobody leaves them out, but not
	// each is built everywhere.
	GoBuild Scope = "gobuild"
)

// A World says what decides, besides the files of the workspace, where a server says that something is used.
type World string

const (
	// UnknownWorld: nobody has found that out, or it cannot be told whether it has changed. What the server says is not kept
	// for the next process.
	UnknownWorld World = ""
	// GoWorld: the version of Go, the settings of the go command, and the modules that are downloaded.
	GoWorld World = "go"
)
