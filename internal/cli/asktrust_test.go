package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

const (
	rustRuns = "  rust-analyzer runs cargo check: build scripts, procedural macros, and what .cargo/config.toml and rust-toolchain.toml name\n"
	asked    = "This checkout is not trusted yet: ROOT\nIf you trust it:\n" + rustRuns +
		"Until then these servers run nothing of it, and answers say what they lack. You are asked once;\nlspine trust and lspine untrust change it later.\n"
	question = "Do you trust who wrote it? [y/N] "
)

// ofRust is a checkout with a file of the toy language, a file of Rust, and a server of its own.
const ofRust = "-- .git/HEAD --\n-- a.toy --\nfine\n-- src/lib.rs --\n-- Cargo.toml --\n"

// installs puts programs with these names on PATH, which is nothing else then: they are there to be found.
func installs(t *testing.T, names ...string) {
	t.Helper()
	bin := t.TempDir()
	for _, name := range names {
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		lsptest.WriteFile(t, filepath.Join(bin, name), "#!/bin/sh\nexit 1\n")
		if err := os.Chmod(filepath.Join(bin, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
}

// atTerminal makes commands run where somebody answers, with more variables.
func (s *shop) atTerminal(answer string, more ...string) {
	s.stdin = answer + "\n"
	s.change = func(streams *Streams) {
		streams.InTerminal, streams.OutTerminal, streams.ErrTerminal = true, true, true
		streams.Environ = append(streams.Environ, more...)
	}
}

// asks fails the test unless a command asks, or does not, and goes on as without a question.
func (s *shop) asks(about string, want bool, args ...string) {
	s.t.Helper()
	got := s.run(args...)
	begin := ""
	if want {
		begin = asked + question
	}
	if !strings.HasPrefix(got.stderr, begin) || got.code != 0 || got.stdout != "" || strings.Contains(got.stderr, question) != want {
		s.t.Errorf("%s: exit code %d, stdout %q, stderr %q, want %q first", about, got.code, got.stdout, got.stderr, begin)
	}
}

// Who uses a checkout at a terminal is asked once whether it is trusted, before the first command goes on: both answers
// are kept, until another is given.
func TestTrustIsAskedOnce(t *testing.T) {
	installs(t, "rust-analyzer")
	for _, answer := range []string{"YES", "n", "yesterday"} {
		s := newShop(t, ofRust, lsptest.Script{})
		s.atTerminal(answer)
		s.asks(answer+": the first command", true, "check", "a.toy")
		s.asks(answer+": the next one", false, "check", "a.toy")
		trusted := answer == "YES"
		then := map[bool]string{
			true:  "ROOT is trusted already; lspine untrust ends that\n",
			false: "The project's configuration wants to run nothing of its own.\nPrograms and libraries in ROOT may run.\n" + rustRuns,
		}
		got := s.run("trust", "--yes")
		if diff := cmp.Diff(then[trusted], got.stdout); diff != "" || got.code != 0 {
			t.Errorf("%s: then exit code %d (-want +got):\n%s", answer, got.code, diff)
		}
		s.asks(answer+": after trust", false, "check", "a.toy")
		s.expect(answer+": taken back", s.run("untrust"), 0, "")
		s.asks(answer+": after untrust", true, "check", "a.toy")
	}
}

// What is trusted counts for the command that asked: the server of the checkout's own file is known to it.
func TestTrustCountsAtOnce(t *testing.T) {
	installs(t, "rust-analyzer")
	const wants = "-- .lspine.jsonc --\n{\"lsp\": {\"servers\": {\"mine\": {\"command\": \"own\", \"extensions\": [\".own\"]}}}}\n"
	for answer, withheld := range map[string]bool{"y": false, "n": true} {
		s := newShop(t, ofRust+wants, lsptest.Script{})
		s.atTerminal(answer)
		for _, c := range []struct {
			args     []string
			more     string
			withheld bool
		}{
			{[]string{"check", "a.toy"}, "", withheld},
			{[]string{"check", "a.toy"}, "", withheld},
			{[]string{"check", "a.toy", "--untrusted"}, "", true},
			{[]string{"check", "a.toy"}, "LSPINE_TRUST=never", true},
			{[]string{"check", "a.toy"}, "LSPINE_TRUST=always", false},
			{[]string{"check", "a.toy"}, "", withheld},
		} {
			s.atTerminal(answer, c.more)
			got := s.run(c.args...)
			if says := strings.Contains(got.stderr, `ROOT/.lspine.jsonc:1: mine.command`) || strings.Contains(got.stderr, "lspine trust shows it all"); says != c.withheld || got.code != 0 {
				t.Errorf("%q, %v %s: exit code %d, withheld %t:\n%s", answer, c.args, c.more, got.code, says, got.stderr)
			}
		}
	}
}

// Nobody is asked who cannot answer, or who has said something already, or where nothing would run.
func TestTrustIsNotAsked(t *testing.T) {
	for name, c := range map[string]struct {
		archive string
		program string
		change  func(s *shop, streams *Streams)
		args    []string
		asks    bool
	}{
		"everybody else":           {asks: true},
		"by the setting":           {change: func(_ *shop, st *Streams) { st.Environ = append(st.Environ, "LSPINE_TRUST=ask") }, asks: true},
		"no input":                 {change: func(_ *shop, st *Streams) { st.InTerminal = false }},
		"no output":                {change: func(_ *shop, st *Streams) { st.OutTerminal = false }},
		"no messages":              {change: func(_ *shop, st *Streams) { st.ErrTerminal = false }},
		"always":                   {change: func(_ *shop, st *Streams) { st.Environ = append(st.Environ, "LSPINE_TRUST=always") }},
		"never":                    {change: func(_ *shop, st *Streams) { st.Environ = append(st.Environ, "LSPINE_TRUST=never") }},
		"a flag":                   {args: []string{"--untrusted"}},
		"a trusted root":           {change: func(s *shop, st *Streams) { st.Environ = append(st.Environ, "LSPINE_TRUSTED_ROOTS="+s.root) }},
		"a project of Go":          {archive: "-- .git/HEAD --\n-- a.toy --\nfine\n-- a.go --\n-- go.mod --\nmodule m\n", program: "gopls"},
		"no server is there":       {program: "other"},
		"what is built":            {archive: "-- .git/HEAD --\n-- a.toy --\nfine\n-- target/src/lib.rs --\n-- node_modules/x/a.rs --\n"},
		"a file of another kind":   {archive: "-- .git/HEAD --\n-- a.toy --\nfine\n-- a.rs.txt --\n"},
		"deep in folders":          {archive: "-- .git/HEAD --\n-- a.toy --\nfine\n-- a/b/c/d/e.rs --\n", asks: true},
		"the server is disabled":   {archive: ofRust + "-- .lspine.jsonc --\n{\"lsp\": {\"servers\": {\"rust-analyzer\": {\"enabled\": false}}}}\n"},
		"trusted by a folder":      {change: func(s *shop, _ *Streams) { s.trustFolder(filepath.Dir(s.root)) }},
		"trusted by the neighbour": {change: func(s *shop, _ *Streams) { s.trustFolder(filepath.Dir(s.configFile)) }, asks: true},
	} {
		t.Run(name, func(t *testing.T) {
			if c.archive == "" {
				c.archive = ofRust
			}
			if c.program == "" {
				c.program = "rust-analyzer"
			}
			installs(t, c.program)
			s := newShop(t, c.archive, lsptest.Script{})
			s.atTerminal("y")
			terminal := s.change
			s.change = func(streams *Streams) {
				if terminal(streams); c.change != nil {
					c.change(s, streams)
				}
			}
			s.asks(name, c.asks, append([]string{"check", "a.toy"}, c.args...)...)
		})
	}
}

// trustFolder trusts all below a folder.
func (s *shop) trustFolder(folder string) {
	s.t.Helper()
	text := fmt.Sprintf(`{"roots": {"%s": {"below": true, "when": "2026-01-02T03:04:05Z"}}}`, lsptest.InJSON(folder))
	lsptest.WriteFile(s.t, filepath.Join(filepath.Dir(s.configFile), "lspine", "trust.json"), text)
}

// trust takes a folder: a checkout, what lies in one, or a folder with checkouts in it, but no home, and no file. untrust ends each, and
// says what it does not end.
func TestTrustOfFolders(t *testing.T) {
	installs(t, "rust-analyzer")
	s := newShop(t, "-- work/a/.git/HEAD --\n-- work/a/src/lib.rs --\n-- work/b/.git/HEAD --\n-- work/plain/a.txt --\n-- file --\n", lsptest.Script{})
	const (
		nothing = "The project's configuration wants to run nothing of its own.\n"
		below   = "Everything below ROOT/work may run, whatever its checkouts contain or want, now and later.\n"
	)
	home := filepath.Dir(s.configFile)
	s.expect("a file", s.run("trust", "file", "--yes"), 2, "", "file is no folder", "name a checkout")
	s.expect("nothing", s.run("trust", "gone", "--yes"), 2, "", "gone is no folder")
	s.expect("a home", s.run("trust", home, "--yes"), 2, "", "is a home folder, and whatever is unpacked or downloaded there would run", "~/work")
	s.expect("a folder of homes", s.run("trust", filepath.Dir(home), "--yes"), 2, "", "is a folder of home folders")
	s.expect("two folders", s.run("trust", "work", "file"), 2, "", "accepts at most 1 arg")
	s.expect("nobody to ask", s.run("trust", "work"), 2, below, "nobody is here to ask")

	s.expect("a folder of a checkout", s.run("trust", "work/a/src", "--yes"), 0, nothing+"Programs and libraries in ROOT/work/a may run.\n"+rustRuns)
	s.expect("the checkout", s.run("trust", "work/a", "--yes"), 0, "ROOT/work/a is trusted already; lspine untrust ends that\n")
	s.expect("no more, by a folder of it", s.run("untrust", "work/a/src"), 0, "")
	s.expect("not at all", s.run("untrust", "work/a"), 0, "ROOT/work/a was not trusted\n")
	s.expect("another one", s.run("trust", "work/b", "--yes"), 0, nothing+"Programs and libraries in ROOT/work/b may run.\n")

	s.expect("all below", s.run("trust", "work", "--yes"), 0, below)
	s.expect("all below, again", s.run("trust", "work", "--yes"), 0, below+"ROOT/work was trusted already\n")
	s.expect("a checkout below", s.run("trust", "work/a", "--yes"), 0, "ROOT/work/a is trusted already, as all below ROOT/work is; lspine untrust ROOT/work ends that\n")
	s.expect("it cannot be left out", s.run("untrust", "work/a"), 0, "ROOT/work/a is still trusted, as all below ROOT/work is; lspine untrust ROOT/work ends that\n")
	s.expect("nor can one that is trusted by itself", s.run("untrust", "work/b"), 0, "ROOT/work/b is still trusted, as all below ROOT/work is; lspine untrust ROOT/work ends that\n")
	s.expect("no more below", s.run("untrust", "work"), 0, "")
	s.expect("none below", s.run("untrust", "work/b"), 0, "ROOT/work/b was not trusted\n")
	s.expect("a folder of none", s.run("untrust", "work/plain"), 0, "ROOT/work/plain was not trusted\n")
}

// A worktree of a trusted checkout stays trusted as long as that is, and untrust says so.
func TestUntrustOfAWorktree(t *testing.T) {
	s := newShop(t, "-- main/a.txt --\n", lsptest.Script{})
	main := filepath.Join(s.root, "main")
	lsptest.Git(t, main, "init", "-q")
	lsptest.Git(t, main, "add", ".")
	lsptest.Git(t, main, "commit", "-q", "-m", "x")
	lsptest.Git(t, main, "worktree", "add", "-q", filepath.Join(s.root, "linked"))
	installs(t)
	s.expect("the checkout", s.run("trust", "main", "--yes"), 0, "The project's configuration wants to run nothing of its own.\nPrograms and libraries in ROOT/main may run.\n")
	s.expect("its worktree", s.run("trust", "linked", "--yes"), 0, "ROOT/linked is trusted already; lspine untrust ends that\n")
	s.expect("only the worktree", s.run("untrust", "linked"), 0, "ROOT/linked is still trusted, as the checkout is of which it is a worktree\n")
	s.expect("the checkout, no more", s.run("untrust", "main"), 0, "")
	s.expect("its worktree, no more", s.run("untrust", "linked"), 0, "ROOT/linked was not trusted\n")
}
