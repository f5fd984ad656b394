package fspath

import (
	"slices"
	"strings"
)

// Variable returns the last value of a variable in an environment (in the form of os.Environ), as a
// program of the system finds it; "" if there is none. Windows usually has Path for PATH.
func (s Style) Variable(environ []string, name string) string {
	for _, entry := range slices.Backward(environ) {
		if is, value, set := strings.Cut(entry, "="); set && (is == name || s.Drives && strings.EqualFold(is, name)) {
			return value
		}
	}
	return ""
}

// Mapped returns an environment in which change was applied to each value of a variable, by whatever spelling the system
// finds it.
func (s Style) Mapped(environ []string, name string, change func(value string) string) []string {
	mapped := slices.Clone(environ)
	for i, entry := range mapped {
		if is, value, set := strings.Cut(entry, "="); set && (is == name || s.Drives && strings.EqualFold(is, name)) {
			mapped[i] = is + "=" + change(value)
		}
	}
	return mapped
}
