package project

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"
)

// MissingRust returns the toolchain that the nearest toolchain file of a folder asks for and
// rustup does not have, and that file; "" if it has it, if nothing is asked for, and where
// the cargo at a path is not rustup's, which heeds no such file.
func MissingRust(dir, root, cargo string, environ []string) (channel, file string) {
	if _, err := os.Stat(filepath.Join(filepath.Dir(cargo), "rustup")); err != nil || variable(environ, "RUSTUP_TOOLCHAIN") != "" {
		return "", ""
	}
	for _, folder := range upTo(dir, root) {
		for _, name := range []string{"rust-toolchain", "rust-toolchain.toml"} {
			path := filepath.Join(folder, name)
			content, err := os.ReadFile(path)
			if err != nil {
				continue
			}
			if channel = channelOf(string(content)); channel == "" || hasRust(channel, environ) {
				return "", ""
			}
			return channel, path
		}
	}
	return "", ""
}

// channelOf reads a toolchain file, of either kind.
func channelOf(text string) string {
	var file struct{ Toolchain struct{ Channel string } }
	if _, err := toml.Decode(text, &file); err == nil {
		return file.Toolchain.Channel
	}
	if text = strings.TrimSpace(text); !strings.ContainsAny(text, " \n=[") {
		return text
	}
	return ""
}

// hasRust reports whether rustup has a toolchain.
func hasRust(channel string, environ []string) bool {
	home := variable(environ, "RUSTUP_HOME")
	if home == "" {
		home = filepath.Join(variable(environ, "HOME"), ".rustup")
	}
	entries, err := os.ReadDir(filepath.Join(home, "toolchains"))
	if err != nil {
		return true // nobody knows
	}
	for _, entry := range entries {
		if name := entry.Name(); name == channel || strings.HasPrefix(name, channel+"-") {
			return true
		}
	}
	return false
}
