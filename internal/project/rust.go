package project

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/lspine/lspine/internal/fspath"
)

// MissingRust returns the toolchain that the nearest rust-toolchain file requires, and that file,
// if rustup has not installed the toolchain. Otherwise both are "", as they are if RUSTUP_TOOLCHAIN
// is set or cargo is not rustup's: then these files have no effect.
func MissingRust(dir, root, cargo string, environ []string) (channel, file string) {
	if _, err := os.Stat(filepath.Join(filepath.Dir(cargo), "rustup")); err != nil || variable(environ, "RUSTUP_TOOLCHAIN") != "" {
		return "", ""
	}
	for _, folder := range upTo(dir, root) {
		for _, name := range []string{"rust-toolchain", "rust-toolchain.toml"} {
			path := filepath.Join(folder, name)
			content, err := fspath.Read(path)
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

// channelOf returns the toolchain named in a rust-toolchain or rust-toolchain.toml file.
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

// hasRust reports whether rustup has installed a toolchain.
func hasRust(channel string, environ []string) bool {
	entries, err := os.ReadDir(filepath.Join(rustupHome(environ), "toolchains"))
	if err != nil {
		return true // unknown
	}
	for _, entry := range entries {
		if name := entry.Name(); name == channel || strings.HasPrefix(name, channel+"-") {
			return true
		}
	}
	return false
}

// OwnRust returns the variable by which rustup takes the user's own toolchain, as KEY=value, whatever a checkout asks for: its
// rust-toolchain.toml may name a folder of its own. It is nil if there is no rustup.
func OwnRust(environ []string) []string {
	text, err := fspath.Read(filepath.Join(rustupHome(environ), "settings.toml"))
	if err != nil || variable(environ, "RUSTUP_TOOLCHAIN") != "" {
		return nil
	}
	var settings struct {
		Default string `toml:"default_toolchain"`
	}
	_, _ = toml.Decode(string(text), &settings) // of what cannot be read rustup takes nothing either
	return []string{"RUSTUP_TOOLCHAIN=" + cmp.Or(settings.Default, "stable")}
}

// rustupHome returns the folder of rustup.
func rustupHome(environ []string) string {
	if home := variable(environ, "RUSTUP_HOME"); home != "" {
		return home
	}
	return filepath.Join(variable(environ, "HOME"), ".rustup")
}

// Cargo returns the cargo that servers prefer to the one that is found on the path: what a variable names, or the one in cargo's
// own folder; "" if there is none.
func Cargo(environ []string) string {
	if named := variable(environ, "CARGO"); named != "" {
		return named
	}
	home := variable(environ, "CARGO_HOME")
	if home == "" {
		home = filepath.Join(variable(environ, "HOME"), ".cargo")
	}
	path := filepath.Join(home, "bin", "cargo")
	if info, err := os.Stat(path); err != nil || info.IsDir() || !filepath.IsAbs(path) {
		return ""
	}
	return path
}
