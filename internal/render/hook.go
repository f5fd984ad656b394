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
	_ = CheckText(&result.Check{Files: onlyNew(c.Files), Late: onlyNew(c.Late)}, &b, style)
	if others := onlyNew(c.Others); len(others) > 0 {
		b.WriteString("also broken now: " + Named(others, legible.Line) + "\n")
	}
	return b.String()
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
