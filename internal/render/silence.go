package render

import "fmt"

// Silence returns a line for each server and file whose silence does not mean
// that all is well: what was asked and why no complete answer came.
func (c *Check) Silence(path func(string) string) []string {
	var lines []string
	seen := make(map[string]bool)
	for i := range c.Files {
		f := &c.Files[i]
		if f.Error != nil {
			continue
		}
		if len(f.Servers) == 0 {
			lines = append(lines, fmt.Sprintf("%s: no server knows this kind of file", path(f.Path)))
		}
		for _, a := range f.Servers {
			if a.Freshness == "fresh" {
				continue
			}
			line := fmt.Sprintf("%s: %s: %s", path(f.Path), a.Server, why(a))
			// A server that is missing is missing for all files.
			if once := a.Server + a.Reason; a.Freshness == "unavailable" {
				if seen[once] {
					continue
				}
				seen[once] = true
			}
			lines = append(lines, line)
			if a.Hint != "" {
				lines = append(lines, "  "+a.Hint)
			}
		}
	}
	return lines
}

var outcomes = map[string]string{
	"partial":     "its answer may be incomplete",
	"timeout":     "not checked",
	"indexing":    "not checked yet",
	"unavailable": "not available",
}

func why(a Answer) string {
	text := outcomes[a.Freshness]
	if a.Reason != "" {
		text += ": " + a.Reason
	}
	return text
}
