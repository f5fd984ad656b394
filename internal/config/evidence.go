package config

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/tailscale/hujson"
)

// evidenceOff is the value of the key evidence that keeps nothing.
const evidenceOff = "off"

func evidenceKey() Key {
	const kind = "a file, or off"
	return newKey("evidence", kind, func(s *Settings) *string { return &s.Evidence }, func(v hujson.Value) (string, error) {
		file, err := readString(v)
		switch {
		case v.Value.Kind() != '"':
			err = wrongType(kind, v)
		case err == nil && file != "" && file != evidenceOff && !filepath.IsAbs(file) && !strings.HasPrefix(file, "~/"):
			err = &valueError{fmt.Sprintf("%q is not absolute", file), "write the whole path, begin with ~/, or say off"}
		}
		return file, err
	}, same[string]).as(ofType("string"))
}

// EvidenceFile returns the file of the evidence of a user with an environment, as KEY=value; "" if
// none is kept.
func (s *Settings) EvidenceFile(environ []string) string {
	env := environment(environ)
	home := firstOf(env["HOME"], env["USERPROFILE"])
	switch rest, inHome := strings.CutPrefix(s.Evidence, "~/"); {
	case s.Evidence == evidenceOff, inHome && home == "":
		return ""
	case inHome:
		return filepath.Join(home, rest)
	case s.Evidence != "":
		return s.Evidence
	}
	dir := StateFolder(environ)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "evidence.jsonl")
}

// StateFolder returns the folder of what lspine keeps for a user and, unlike a cache, is not to be
// lost; "" if the environment, as KEY=value, says no folder for it.
func StateFolder(environ []string) string {
	env := environment(environ)
	home := firstOf(env["HOME"], env["USERPROFILE"])
	dir := env["XDG_STATE_HOME"]
	switch {
	case filepath.IsAbs(dir):
	case runtime.GOOS == "windows":
		dir = firstOf(env["LocalAppData"], env["LOCALAPPDATA"], filepath.Join(home, "AppData", "Local"))
	case home == "":
		return ""
	case runtime.GOOS == "darwin":
		dir = filepath.Join(home, "Library", "Application Support")
	default:
		dir = filepath.Join(home, ".local", "state")
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(dir, "lspine")
}
