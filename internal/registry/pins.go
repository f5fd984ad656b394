package registry

import (
	_ "embed"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// pinsTable is the table that scripts/servers installs the servers of the tests from: what
// lspine install brings is what the tests run.
//
//go:embed pins.tsv
var pinsTable string

// PinKind says where a pinned server comes from.
type PinKind string

const (
	// FromNPM packages run on every system, Native ones bring a program of the system.
	FromNPM PinKind = "npm"
	Native  PinKind = "native"
	// Overridden packages and their dependencies have to take the same versions.
	Overridden PinKind = "pinned"
	// Scripted is Native, and an install script of the package must run.
	Scripted PinKind = "scripts"
	// FromGo is built from a Go module.
	FromGo PinKind = "go"
	// FromRustup is a component of the user's Rust toolchain.
	FromRustup PinKind = "rustup"
	// FromDebian is for the tests alone.
	FromDebian PinKind = "debian"
)

// ByNPM reports whether npm installs it.
func (k PinKind) ByNPM() bool {
	return slices.Contains([]PinKind{FromNPM, Native, Overridden, Scripted}, k)
}

// Tool returns the program that installs it, and how a person gets that; "" for none.
func (k PinKind) Tool() (program, hint string) {
	switch {
	case k.ByNPM():
		return "npm", "install Node.js 20 or newer, with npm"
	case k == FromGo:
		return "go", "install Go 1.26 or newer"
	case k == FromRustup:
		return "rustup", "install rustup, which keeps Rust's toolchains"
	}
	return "", ""
}

// A Pin says where a server comes from, at exact versions.
type Pin struct {
	// ID is that of the definition.
	ID   string
	Kind PinKind
	// Packages are name@version, the server's own first.
	Packages []string
	Programs []PinnedProgram
	// Needs are the programs that it runs with, besides those that install it.
	Needs []string
}

// A PinnedProgram is a program that a pin brings.
type PinnedProgram struct {
	Name string
	// File is its path below the folder of the pin, with slashes, or "" for the usual one.
	File string
}

// Package returns name and version of the server's own package.
func (p *Pin) Package() (name, version string) {
	first := p.Packages[0]
	if at := strings.LastIndexByte(first, '@'); at > 0 {
		return first[:at], first[at+1:]
	}
	return first, ""
}

// Folder names the package in the file system: servers that come out of one share it.
func (p *Pin) Folder() string {
	name, _ := p.Package()
	if p.Kind == FromGo {
		name = path.Base(name)
	}
	return strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-")
}

// Brings reports whether the pin has a program of that name.
func (p *Pin) Brings(program string) bool {
	return slices.ContainsFunc(p.Programs, func(brought PinnedProgram) bool { return brought.Name == program })
}

// Installable reports whether it can be installed on a system, named as runtime.GOOS does.
func (p *Pin) Installable(system string) bool {
	if p.Kind == FromDebian {
		return false
	}
	launched := slices.ContainsFunc(p.Programs, func(program PinnedProgram) bool { return strings.HasPrefix(program.File, "bin/") })
	return system != "windows" || !launched // the launchers are scripts of a shell
}

var readPins = sync.OnceValue(func() []Pin {
	var pins []Pin
	for line := range strings.Lines(pinsTable) {
		columns := strings.Fields(line)
		if len(columns) < 5 || columns[0] == "tool" || strings.HasPrefix(columns[0], "#") {
			continue
		}
		p := Pin{ID: columns[1], Kind: PinKind(columns[2]), Packages: strings.Split(columns[3], ",")}
		for program := range strings.SplitSeq(columns[4], ",") {
			name, file, _ := strings.Cut(program, "=")
			p.Programs = append(p.Programs, PinnedProgram{name, file})
		}
		if len(columns) > 5 {
			p.Needs = strings.Split(columns[5], ",")
		}
		// What is for users alone stands in the place of what the tests take.
		if i := slices.IndexFunc(pins, func(other Pin) bool { return other.ID == p.ID }); i >= 0 {
			if columns[0] == "user" {
				pins[i] = p
			}
			continue
		}
		pins = append(pins, p)
	}
	return pins
})

// Pins returns where the servers come from of which that is known at exact versions, in
// the order of the table. The caller must not change them.
func Pins() []Pin { return readPins() }

// PinOf returns the pin of a server that can be installed on this system.
func PinOf(id string) (p Pin, found bool) { return pinOn(runtime.GOOS, id) }

func pinOn(system, id string) (p Pin, found bool) {
	for _, p := range readPins() {
		if p.ID == id && p.Installable(system) {
			return p, true
		}
	}
	return Pin{}, false
}

// withPins puts the command that installs what is pinned on a system before the other ways.
func withPins(table Table, system string) {
	for i := range table {
		if _, pinned := pinOn(system, table[i].ID); pinned {
			table[i].Install = slices.Concat([]string{"lspine install " + table[i].ID}, table[i].Install)
		}
	}
}
