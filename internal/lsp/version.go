package lsp

import (
	"encoding/json"
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
)

var versionNumber = lazyregexp.New(`\d+(\.\d+)+\S*`)

// shortVersion returns what a server calls its version, or the number in it: some tell their
// platform and all they are made of. Of the JSON of a Go program it is the version of its main
// module.
func shortVersion(version string) string {
	var build struct{ Main struct{ Version string } }
	switch {
	case strings.HasPrefix(version, "{") && json.Unmarshal([]byte(version), &build) == nil:
		return build.Main.Version
	case len(version) <= 40 && !strings.Contains(version, "\n"):
		return version
	}
	return versionNumber.FindString(version)
}
