package registry

import "encoding/json"

// An Execution is what of a project a server runs while it judges the files of it. Whoever opens a checkout of
// somebody else's wants to know.
type Execution string

const (
	// ExecutesNothing: the server reads files of the project, and runs none.
	ExecutesNothing Execution = "nothing"
	// ExecutesLibraries: it loads code that lies in the project: plug-ins, installed packages, a configuration
	// that is written in a programming language.
	ExecutesLibraries Execution = "libraries"
	// ExecutesBuilds: it runs the project's build, or a part of it: scripts, macros, wrappers of build tools.
	ExecutesBuilds Execution = "builds"
	// ExecutesUnknown: nobody has found out.
	ExecutesUnknown Execution = "not known"
)

// Executes says what of a project a server runs. The zero value is that of a server that only a configuration
// knows: whoever wrote that decides.
type Executes struct {
	What Execution
	// How is what it runs, in words that follow "it runs"; "" for nothing, and where nobody knows.
	How string
	// Source is how that is known.
	Source string
	// Restraint is how the server is kept from running any of it; nil if it cannot be.
	Restraint *Restraint
}

// A Restraint keeps a server from running what a project brings.
type Restraint struct {
	// Options are put over the options at the start, Settings over the settings; both are JSON objects or nil.
	Options, Settings json.RawMessage
	// Args are added to those of the command.
	Args []string
	// Env is added to the environment of the process, as KEY=value.
	Env []string
	// ByNode says that what keeps it from running things is that Node.js loads no module of the checkout.
	ByNode bool
	// KeepsDisk says that the check of the files on disk remains: it runs nothing of the project.
	KeepsDisk bool
	// Lacks is what the answers of the restrained server lack, in words that follow "without"; "" for nothing.
	Lacks string
	// LacksBy are names of project files, or globs: an answer lacks it only below one of them. Empty: always.
	LacksBy []string
	// Sure is a regular expression for the codes of errors that are ones whatever the answer lacks; "" for none. Others may
	// come of what it lacks.
	Sure string
	// Undone are names of files, folders and files in folders, as in "folder/file", by which a project could undo the
	// restraint. Where there is one the server does not start.
	Undone []string
	// UndoneBy are keys of the file of TOML in Undone without which it undoes nothing. A file that is not named here always does.
	UndoneBy map[string][]string
	// Flags are names of files with flags of a compiler. One with a flag that is not known to be harmless undoes the restraint.
	Flags []string
}

// Restrained returns the definition of a server that runs nothing of a project: by its restraint, which it must have.
func (d Definition) Restrained() Definition {
	r := d.Executes.Restraint
	d.InitializationOptions = Merged(d.InitializationOptions, r.Options)
	d.Settings = Merged(d.Settings, r.Settings)
	d.Env = append(d.Env[:len(d.Env):len(d.Env)], r.Env...)
	if !r.KeepsDisk {
		d.Diagnostics.Disk = nil
	}
	return d
}

// withExecution fills in what the servers of a table run. A server that no list names runs what nobody knows.
func withExecution(table Table) {
	known := make(map[string]Executes)
	for _, id := range readers {
		known[id] = Executes{What: ExecutesNothing, Source: "it has a parser and a checker of its own, and its documentation names nothing of a project that it runs"}
	}
	for id, e := range executing {
		known[id] = e
	}
	for i := range table {
		e, is := known[table[i].ID]
		if !is {
			e = Executes{What: ExecutesUnknown, Source: "nobody has looked"}
		}
		table[i].Executes = e
	}
}
