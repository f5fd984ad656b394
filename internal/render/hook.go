package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// maxNamed bounds the files that are named in one line, and hookPerFile what is listed of one.
const (
	maxNamed    = 10
	hookPerFile = 20
)

// Named names files in one line, each with how much is wrong in it; shown makes of a path what
// is shown.
func Named(files []result.File, shown func(path string) string) string {
	var names []string
	for i := range files[:min(len(files), maxNamed)] {
		names = append(names, fmt.Sprintf("%s (%d)", shown(files[i].Path), len(files[i].Diagnostics)))
	}
	if more := len(files) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// hookOutput is what agents take from a hook, to add it to what their model reads.
type hookOutput struct {
	Specific *hookContext `json:"hookSpecificOutput,omitempty"`
}

type hookContext struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// Hook returns a check as agents take it from a hook that is a tool of an MCP server, after an
// edit: what is new in the files asked about, and in one line which others broke. Where nothing
// is new it is an empty object. A nil check is one that could not be made: a hook never fails
// its agent.
func Hook(c *result.Check) string {
	var output hookOutput
	if text := afterEdit(c); text != "" {
		output.Specific = &hookContext{"PostToolUse", text}
	}
	var b strings.Builder
	_ = legible.Encode(&b, output, "") // a builder never fails
	return strings.TrimSuffix(b.String(), "\n")
}

func afterEdit(c *result.Check) string {
	if c == nil {
		return ""
	}
	plain := func(path string) string { return path }
	var b strings.Builder
	style := Style{Path: plain, Caps: result.Caps{PerFile: hookPerFile}}
	compared, unsure := Divided(onlyNew(c.Files))
	_ = CheckText(&result.Check{Files: compared}, &b, style)
	if len(unsure) > 0 {
		b.WriteString(Unsure + ":\n")
		_ = CheckText(&result.Check{Files: unsure}, &b, style)
	}
	_ = CheckText(&result.Check{Late: onlyNew(c.Late)}, &b, style)
	for _, g := range Elsewhere(onlyNew(c.Others)) {
		b.WriteString(g.Title + ": " + Named(g.Files, legible.Line) + "\n")
	}
	return b.String()
}

// Unsure is what a hook says, without a colon, of findings in the files of an edit that could be compared with nothing.
const Unsure = "of the following it is not known whether it is new"

// A Group is files of which a hook says the same.
type Group struct {
	// Title is what is said of them, without a colon.
	Title string
	Files []result.File
}

// Elsewhere divides other files in which an edit left something wrong into those that it broke, and those that could be
// compared with nothing: of these nobody knows whether they were broken before. It returns no empty groups.
func Elsewhere(others []result.File) (groups []Group) {
	broken, unsure := Divided(others)
	for _, g := range []Group{{"also broken now", broken}, {"also wrong, and it is not known whether since this edit", unsure}} {
		if len(g.Files) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// Divided divides files into those that were compared with an earlier text, or that do not say, and those of which it is known that they could not be.
func Divided(files []result.File) (compared, unsure []result.File) {
	for _, f := range files {
		if f.Baseline == uncompared {
			unsure = append(unsure, f)
		} else {
			compared = append(compared, f)
		}
	}
	return compared, unsure
}

// onlyNew returns the files in which something is new, with that alone.
func onlyNew(files []result.File) (some []result.File) {
	for _, f := range files {
		f.Diagnostics = slices.DeleteFunc(slices.Clone(f.Diagnostics), func(d result.Diagnostic) bool { return !d.New })
		if len(f.Diagnostics) > 0 {
			some = append(some, f)
		}
	}
	return some
}
