package fspath

import (
	"strconv"
	"strings"
)

// FromGit returns the name that git stands for by what it prints. Without -z, git puts a name in double
// quotes if it contains quotes, control characters or (by default) letters outside of ASCII, and
// writes these as C does: "gr\303\266\303\237e.ts". Any other text is returned as it is.
func FromGit(printed string) string {
	if len(printed) < 2 || !strings.HasPrefix(printed, `"`) {
		return printed
	}
	name, err := strconv.Unquote(printed) // Go reads what C writes in this way
	if err != nil {
		return printed
	}
	return name
}
