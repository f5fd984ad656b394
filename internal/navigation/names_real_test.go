package navigation_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/symbols"
)

// found says where definition leads, as path:line, or the error with its hint.
func found(t *testing.T, s *enginetest.Shop, at string) string {
	t.Helper()
	places, err := api.Definition.Do(t.Context(), s.Engine, api.DefinitionRequest{Selector: api.Selector{At: at}})
	if err != nil {
		var hinted interface{ Hint() string }
		if errors.As(err, &hinted) {
			return "error: " + err.Error() + "\n" + hinted.Hint()
		}
		return "error: " + err.Error()
	}
	var list []string
	for _, f := range places.Files {
		for _, p := range f.Places {
			list = append(list, fmt.Sprintf("%s:%d", f.Path, p.Line))
		}
	}
	return strings.Join(list, " ")
}

// A type of Rust and its impls are one symbol by name, wherever the impls stand.
func TestRustTypeAndItsImpls(t *testing.T) {
	s := enginetest.OpenReal(t, `
-- Cargo.toml --
[package]
name = "store"
version = "0.1.0"
edition = "2021"
-- src/lib.rs --
mod show;

pub struct Store { pub n: u32 }

impl Store {
    pub fn get(&self) -> u32 { self.n }
}

impl Default for Store {
    fn default() -> Self { Store { n: 0 } }
}
-- src/show.rs --
use crate::Store;

impl Drop for Store {
    fn drop(&mut self) {}
}
`, "rust-analyzer")
	for at, want := range map[string]string{
		"Store": "src/lib.rs:3", "src/lib.rs Store": "src/lib.rs:3", "Store.get": "src/lib.rs:6", "Store::get": "src/lib.rs:6",
	} {
		if got := found(t, s, at); got != want {
			t.Errorf("%s is at %s, want %s", at, got, want)
		}
	}
}

// A class of C++ and its constructors are one symbol by name, in a namespace, too.
func TestCppClassAndItsConstructor(t *testing.T) {
	s := enginetest.OpenReal(t, `
-- compile_flags.txt --
-xc++
-- store.h --
#pragma once
namespace shop {
class Store {
public:
  Store();
  explicit Store(int n);
  int get() const { return n_; }
private:
  int n_;
};
}
-- store.cc --
#include "store.h"
namespace shop {
Store::Store() : n_(0) {}
Store::Store(int n) : n_(n) {}
}
`, "clangd")
	for at, want := range map[string]string{"Store": "store.h:3", "shop::Store": "store.h:3", "store.h Store": "store.h:3"} {
		if got := found(t, s, at); got != want {
			t.Errorf("%s is at %s, want %s", at, got, want)
		}
	}
}

const goNamed = `
-- go.mod --
module example.com/mod

go 1.21
-- main.go --
package mod

type File struct{}

func (f *File) Cleanup() {}

func Top() {}
-- modfile/rule.go --
package modfile

type File struct{}

// Parse parses.
func Parse(text string) *File { return nil }

func (f *File) Cleanup() {}
`

// A name with two letters in the wrong order is answered with the nearest; the package
// path that symbols prints is taken back; a regular expression is said to be none.
func TestGoNames(t *testing.T) {
	s := enginetest.OpenReal(t, goNamed, "gopls")
	for at, want := range map[string]string{
		"example.com/mod/modfile.Parse":        "modfile/rule.go:6",
		"example.com/mod/modfile.File.Cleanup": "modfile/rule.go:8",
		"example.com/mod.Top":                  "main.go:7",
		"modfile.Parse":                        "modfile/rule.go:6",
		"func (f *File) Cleanup()":             "error: File.Cleanup means 2 symbols\nname one of them:\n  main.go:5:16 File.Cleanup (method)\n  modfile/rule.go:8:16 File.Cleanup (method)",
	} {
		if got := found(t, s, at); got != want {
			t.Errorf("%s is at %s, want %s", at, got, want)
		}
	}
	for _, at := range []string{"modfile.Prase", "Prase", "modfile/rule.go Prase"} {
		if got := found(t, s, at); !strings.Contains(got, "modfile/rule.go:6:6 Parse (function)") {
			t.Errorf("%s: %s", at, got)
		}
	}
	for _, query := range []string{"Pars.*", "^Parse$", "Parse|Load", `\bParse\b`, "Parse*"} {
		_, err := api.FindSymbol.Do(t.Context(), s.Engine, api.SymbolsRequest{Query: query})
		var wrong *symbols.SelectorError
		if !errors.As(err, &wrong) || !strings.Contains(wrong.Hint(), "for example Pars") {
			t.Errorf("%s: %v", query, err)
		}
	}
	if got := enginetest.Do(t, s, api.FindSymbol, api.SymbolsRequest{Query: "Parse"}); got.Total != 1 || got.Symbols[0].Container != "example.com/mod/modfile" {
		t.Errorf("%+v", got)
	}
}

// A question about a name starts no server in whose files the name does not stand. If
// it stands nowhere, that of the most files is asked, and the answer says who was not.
func TestNoServerForOtherLanguages(t *testing.T) {
	s := enginetest.OpenReal(t, goNamed+`
-- tool/a.py --
def other(): pass
-- native/a.c --
int third(void) { return 3; }
-- native/deep/compile_flags.txt --
-- native/deep/b.c --
int fourth(void) { return 4; }
`, "gopls", "pyright", "clangd")
	running := func() string {
		var ids []string
		for _, r := range s.Workspace().Running() {
			ids = append(ids, r.Definition().ID)
		}
		return strings.Join(ids, " ")
	}
	_, err := api.FindSymbol.Do(t.Context(), s.Engine, api.SymbolsRequest{Query: "Nowhere"})
	if got := running(); err != nil || got != "gopls" {
		t.Errorf("%v; for a name of no file run %s", err, got)
	}
	nowhere := enginetest.Do(t, s, api.FindSymbol, api.SymbolsRequest{Query: "Nowhere"})
	if got := strings.Join(nowhere.Notes, "\n"); nowhere.Total != 0 || got != `not searched: clangd, pyright: no file of theirs has "Nowhere"; a language searches there, too` {
		t.Errorf("%+v", nowhere)
	}
	if got := found(t, s, "modfile.Parse"); got != "modfile/rule.go:6" || running() != "gopls" {
		t.Errorf("%s, by %s", got, running())
	}
	if got := found(t, s, "fourth"); got != "native/deep/b.c:1" || running() != "clangd gopls" {
		t.Errorf("%s, by %s", got, running())
	}
	if got := enginetest.Do(t, s, api.FindSymbol, api.SymbolsRequest{Query: "othe"}); got.Total != 1 || running() != "clangd gopls pyright" {
		t.Errorf("%+v, by %s", got, running())
	}
}

// The version of a server is a version, whatever it tells: gopls tells how it was built,
// as JSON.
func TestVersionsAreVersions(t *testing.T) {
	s := enginetest.OpenReal(t, goNamed, "gopls")
	enginetest.Do(t, s, api.Outline, api.SymbolsRequest{File: "main.go"})
	version := regexp.MustCompile(`^v\d+\.\d+\.\d+$`)
	for _, server := range enginetest.Do(t, s, api.Status, api.StatusRequest{}).Servers {
		if server.ID == "gopls" && !version.MatchString(server.Version) {
			t.Errorf("status: %.80s", server.Version)
		}
	}
	if c := enginetest.Do(t, s, api.Capabilities, api.CapabilitiesRequest{}).Servers; len(c) != 1 || !version.MatchString(c[0].Version) {
		t.Errorf("capabilities: %+v", c)
	}
}

// What is prescribed is a command; a page to look at is none, though a program named
// see may be there that opens a browser.
func TestNoBrowserIsProposed(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	if got := s.Workspace().FirstRunnable([]string{"see https://example.com", "absent install x"}); got != "absent install x" {
		t.Errorf("%q", got)
	}
	for _, d := range registry.Builtin() {
		if next := s.Workspace().FirstRunnable(d.Install); strings.HasPrefix(next, "see ") {
			t.Errorf("%s: %s", d.ID, next)
		}
	}
}

// What a library exports and nothing here uses is no risk of none: who uses it elsewhere
// is not known. What nobody else can use is none.
func TestRiskOfALibrary(t *testing.T) {
	s := enginetest.OpenReal(t, goNamed+`
-- internal/hidden/hidden.go --
package hidden

func Shown() {}
-- cmd/tool/main.go --
package main

func main() { Used() }

func Unused() {}

func Used() {}
`, "gopls")
	for file, want := range map[string]string{
		"modfile/rule.go":           "File low, Parse unknown, File.Cleanup unknown",
		"internal/hidden/hidden.go": "Shown none",
		"cmd/tool/main.go":          "Unused none, Used low",
	} {
		var got []string
		for _, symbol := range enginetest.Do(t, s, api.Impact, api.ImpactRequest{Files: []string{file}}).Symbols {
			got = append(got, symbol.Name+" "+symbol.Risk)
			if symbol.Risk == "unknown" && !strings.Contains(symbol.Why, "elsewhere") {
				t.Errorf("%s: %s", symbol.Name, symbol.Why)
			}
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s: %s, want %s", file, text, want)
		}
	}
}
