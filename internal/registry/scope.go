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
