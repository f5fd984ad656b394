package registry

import "encoding/json"

// A Package is a condition on the npm package that a binary is part of: the
// nearest package.json above the resolved binary must have this name and a
// major version within the bounds. It tells apart the tsc of TypeScript 5 from
// that of TypeScript 7 without running either.
type Package struct {
	Name string
	// MinMajor and MaxMajor bound the major version; 0 means no bound.
	MinMajor, MaxMajor int
}

// A Library is an npm package that a server loads and runs: that of the project where it
// may run, else the nearest that there is.
type Library struct {
	// Package is its name, File what must be in it.
	Package, File string
	// Options and Settings are put below those of the definition. The string
	// [LibraryFolder] in them stands for the folder of File.
	Options, Settings json.RawMessage
}

// LibraryFolder stands in options and settings for the folder of a library.
const LibraryFolder = "${library}"

// An Environment is how a server is told where the packages of a project are installed.
type Environment struct {
	// Paths are settings, of each folder, in which the string [PackagePaths] stands for the
	// list of folders to search. They are enough where nothing of the project may run.
	Paths json.RawMessage
	// Interpreter are settings in which [Interpreter] stands for the program that the
	// server asks, where that may run.
	Interpreter json.RawMessage
}

// What stands in settings for the packages of a project.
const (
	PackagePaths = "${packages}"
	Interpreter  = "${interpreter}"
)

// Fits reports whether the condition holds for a major version.
func (p *Package) Fits(major int) bool {
	return major >= p.MinMajor && (p.MaxMajor == 0 || major <= p.MaxMajor)
}
