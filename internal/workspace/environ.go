package workspace

import (
	"path"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/registry"
)

// secretPatterns match the names of variables that servers have no business to see.
var secretPatterns = []string{
	"*_TOKEN", "*_SECRET", "*_API_KEY", "*_PASSWORD", "*_PRIVATE_KEY", "*_CREDENTIALS",
	"AWS_*", "TOKEN", "SECRET", "API_KEY", "PASSWORD",
}

// withoutSecrets returns environ without variables that look like secrets and
// are not named in pass.
func withoutSecrets(environ, pass []string) []string {
	kept := make([]string, 0, len(environ))
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		if slices.Contains(pass, name) || !LooksSecret(name) {
			kept = append(kept, variable)
		}
	}
	return kept
}

// withOwn puts what the user has set into variables that are added to.
func (w *Workspace) withOwn(environ []string) []string {
	own := ""
	for _, entry := range w.env {
		if value, set := strings.CutPrefix(entry, "JDK_JAVA_OPTIONS="); set {
			own = value
		}
	}
	filled := slices.Clone(environ)
	for i := range filled {
		filled[i] = strings.Replace(filled[i], registry.JavaOptions, own, 1)
	}
	return filled
}

// LooksSecret reports whether the name of an environment variable looks like that of a secret,
// which servers do not get.
func LooksSecret(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(secretPatterns, func(pattern string) bool {
		match, _ := path.Match(pattern, name)
		return match
	})
}
