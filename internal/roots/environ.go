package roots

import (
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// secretWords are words of names of variables that hold secrets, and secretEnds are what such words end with.
var (
	secretWords = []string{"key", "apikey", "pat", "auth", "pwd", "credential", "credentials", "tokens", "secrets", "passphrase"}
	secretEnds  = []string{"token", "secret", "password", "passwd"}
	// plainNames look secret and are not: the folder, and what makes git harmless.
	plainNames = lazyregexp.New(`^(?:old)?pwd$|^git_config_key_[0-9]+$`)
	// loginInURL is a URL with a user and a password.
	loginInURL = lazyregexp.New(`^[a-zA-Z][a-zA-Z0-9+.-]*://[^/@:\s]*:[^/@\s]+@`)
)

// withoutSecrets returns environ without variables that look like secrets, or are named in hide, and are not named in pass.
func withoutSecrets(environ, pass, hide []string) []string {
	kept := make([]string, 0, len(environ))
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		if slices.Contains(pass, name) || !slices.Contains(hide, name) && !LooksSecret(name, value) {
			kept = append(kept, variable)
		}
	}
	return kept
}

// LooksSecret reports whether an environment variable looks like a secret, which servers do not get: by a word of its name,
// or because its value is a URL with a password.
func LooksSecret(name, value string) bool {
	name = strings.ToLower(name)
	if plainNames.MatchString(name) {
		return false
	}
	isSecret := func(word string) bool {
		return slices.Contains(secretWords, word) || slices.ContainsFunc(secretEnds, func(end string) bool { return strings.HasSuffix(word, end) })
	}
	return slices.ContainsFunc(strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' }), isSecret) || loginInURL.MatchString(value)
}
