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
	// [LibraryFolder] in them stands for the folder of File, [LibraryPlugins] for the list of plug-ins.
	Options, Settings json.RawMessage
	// Plugins are those that it loads if it is told where they are.
	Plugins []Plugin
}

// What stands in options and settings for the folder of a library, and for the plug-ins that it loads.
const (
	LibraryFolder  = "${library}"
	LibraryPlugins = "${plugins}"
)

// A Plugin is an npm package by which the library of a server reads the files of another language: components, which scripts
// import. It may run code of the project, such as the compiler of the framework, so it is loaded only where that may run.
type Plugin struct {
	// Ending is that of the names of these files, Language their id in LSP. Framework is the package that the project needs for
	// them.
	Ending, Language, Framework string
	// Package is its name. With is a program that it may be installed with.
	Package, With string
	// Install is the command that gets it.
	Install string
}

// ComponentPlugins are those for TypeScript up to version 6.
func ComponentPlugins() []Plugin {
	return []Plugin{
		{".vue", "vue", "vue", "@vue/typescript-plugin", "vue-language-server", "lspine install vue"},
		{".svelte", "svelte", "svelte", "typescript-svelte-plugin", "svelteserver", "npm install --global typescript-svelte-plugin"},
		{".astro", "astro", "astro", "@astrojs/ts-plugin", "astro-ls", "npm install --global @astrojs/ts-plugin"},
	}
}

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

// EclipseFilters stands in options and settings for the list of what jdtls leaves out of projects: see [project.EclipseFilters].
const EclipseFilters = "${eclipseFilters}"

// Fits reports whether the condition holds for a major version.
func (p *Package) Fits(major int) bool {
	return major >= p.MinMajor && (p.MaxMajor == 0 || major <= p.MaxMajor)
}
