package registry

import (
	"encoding/json"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Every built-in entry has an id of its own that can be written in a
// configuration, a role, a way to start, files and a way to install it.
func TestBuiltinEntriesAreWhole(t *testing.T) {
	id := regexp.MustCompile(`^[a-z0-9][a-z0-9._+-]*$`)
	seen := make(map[string]bool)
	for _, d := range Builtin() {
		if !id.MatchString(d.ID) || seen[d.ID] {
			t.Errorf("%q is no id, or not unique", d.ID)
		}
		seen[d.ID] = true
		if d.Role != Primary && d.Role != DiagnosticsOnly {
			t.Errorf("%s: the role is %q", d.ID, d.Role)
		}
		if d.Tested != CI && d.Tested != Listed {
			t.Errorf("%s: tested is %q", d.ID, d.Tested)
		}
		if len(d.Commands) == 0 || len(d.Languages) == 0 || len(d.Install) == 0 {
			t.Errorf("%s: no command, no language or no install hint", d.ID)
		}
		if len(d.Roots) == 0 && !d.SingleFile {
			t.Errorf("%s: no root and no single files: it would never run", d.ID)
		}
		for _, c := range d.Commands {
			if c.Binary == "" || strings.ContainsAny(c.Binary, `/\ `) {
				t.Errorf("%s: the binary is %q", d.ID, c.Binary)
			}
			if p := c.Package; p != nil && (p.Name == "" || p.MaxMajor != 0 && p.MaxMajor < p.MinMajor) {
				t.Errorf("%s: the package is %+v", d.ID, *p)
			}
		}
		for _, l := range d.Languages {
			if l.ID == "" || l.ID != strings.ToLower(l.ID) || len(l.Patterns) == 0 {
				t.Errorf("%s: the language is %+v", d.ID, l)
			}
		}
		for _, variable := range d.Env {
			if name, _, ok := strings.Cut(variable, "="); !ok || name == "" {
				t.Errorf("%s: the variable is %q", d.ID, variable)
			}
		}
		if d.Disabled || d.Connect != "" {
			t.Errorf("%s: it is built in to be disabled or dialled", d.ID)
		}
	}
	for _, core := range []string{"gopls", "typescript", "typescript-language-server", "pyright", "clangd", "rust-analyzer", "jdtls"} {
		if !seen[core] {
			t.Errorf("%s is missing", core)
		}
	}
}

// Every pattern is a legal glob on a base name, and matches what it is for.
func TestPatternsCompile(t *testing.T) {
	for _, d := range Builtin() {
		if s := d.Symptoms; s != nil {
			for _, pattern := range []string{s.Missing, s.Follows, s.Nearby, s.Apart} {
				if _, err := regexp.Compile(pattern); err != nil {
					t.Errorf("%s: %v", d.ID, err)
				}
			}
		}
		for _, r := range d.Wording {
			if _, err := regexp.Compile(r.Pattern); err != nil || r.Has == "" {
				t.Errorf("%s: %q: %v", d.ID, r, err)
			}
		}
		if _, err := regexp.Compile(d.LoadedLog); err != nil {
			t.Errorf("%s: LoadedLog: %v", d.ID, err)
		}
		if d.Readiness != nil {
			if _, err := regexp.Compile(d.Readiness.Trouble); err != nil {
				t.Errorf("%s: Trouble: %v", d.ID, err)
			}
		}
		for _, pattern := range slices.Concat(d.Roots, d.Requires, d.Excludes) {
			if !doublestar.ValidatePattern(pattern) {
				t.Errorf("%s: the marker %q is no glob of doublestar", d.ID, pattern)
			}
			if _, err := path.Match(pattern, "x"); err != nil || pattern == "" || strings.Contains(pattern, "/") {
				t.Errorf("%s: the marker %q: %v", d.ID, pattern, err)
			}
		}
		for _, l := range d.Languages {
			for _, pattern := range l.Patterns {
				if !doublestar.ValidatePattern(pattern) {
					t.Errorf("%s: the pattern %q is no glob of doublestar", d.ID, pattern)
				}
				if _, err := path.Match(pattern, "x"); err != nil || pattern == "" || strings.Contains(pattern, "/") {
					t.Errorf("%s: the pattern %q: %v", d.ID, pattern, err)
				}
				name := pattern
				if strings.HasPrefix(pattern, ".") {
					name = "file" + pattern
				}
				if strings.ContainsAny(pattern, "*?[") {
					continue
				}
				if got, ok := d.LanguageID("some/dir/" + name); !ok || got != l.ID {
					t.Errorf("%s: %s is %q, %t; want %q", d.ID, name, got, ok, l.ID)
				}
			}
		}
	}
}

// JSON values are objects, and command arguments JSON.
func TestJSONIsValid(t *testing.T) {
	object := func(id, what string, raw json.RawMessage) {
		t.Helper()
		var members map[string]json.RawMessage
		if raw != nil && json.Unmarshal(raw, &members) != nil {
			t.Errorf("%s: %s is no JSON object: %s", id, what, raw)
		}
	}
	for _, d := range Builtin() {
		object(d.ID, "initializationOptions", d.InitializationOptions)
		object(d.ID, "settings", d.Settings)
		object(d.ID, "experimental", d.Experimental)
		if r := d.Readiness; r != nil && (r.Method == "" || r.Member == "" || !json.Valid([]byte(r.Value))) {
			t.Errorf("%s: the readiness is %+v", d.ID, *r)
		}
		if c := d.Diagnostics.Disk; c != nil && (c.Method == "" || !json.Valid(c.Params) || c.Whole != (c.Lacks != "")) {
			t.Errorf("%s: the check of the disk is %+v", d.ID, *c)
		}
		if c := d.Diagnostics.Disk; c != nil && c.List != nil {
			logged := regexp.MustCompile(c.List.Logged)
			if c.List.Clean == c.List.Broken || logged.SubexpIndex("file") < 0 || logged.SubexpIndex("message") < 0 || c.Title != "" {
				t.Errorf("%s: the list of the check of the disk is %+v", d.ID, *c.List)
			}
		}
		calls := slices.Clone(d.Diagnostics.Commands)
		if d.Diagnostics.Reload != nil {
			calls = append(calls, *d.Diagnostics.Reload)
		}
		for _, c := range calls {
			for _, argument := range c.Arguments {
				if !json.Valid(argument) {
					t.Errorf("%s: %s: the argument %s is no JSON", d.ID, c.Command, argument)
				}
			}
			if c.Command == "" || c.Result != ResultPublished && c.Result != ResultTSServer {
				t.Errorf("%s: the call is %+v", d.ID, c)
			}
		}
		if c := d.Diagnostics.Home; c != nil && (c.Command == "" || d.Diagnostics.Reload == nil || slices.ContainsFunc(c.Arguments, func(argument json.RawMessage) bool { return !json.Valid(argument) })) {
			t.Errorf("%s: the call for a project is %+v", d.ID, *c)
		}
	}
}

// An entry that the real-server suite covers says how its diagnostics are
// complete, and has what its strategies need.
func TestStrategiesHaveWhatTheyNeed(t *testing.T) {
	for _, d := range Builtin() {
		s := d.Diagnostics
		if d.Tested == CI && len(s.Strategies) == 0 && s.Outside == "" {
			t.Errorf("%s: no strategy, and not known to say anything when a document is sent again", d.ID)
		}
		has := func(strategy Strategy) bool { return slices.Contains(s.Strategies, strategy) }
		for _, strategy := range s.Strategies {
			if !slices.Contains(Strategies, strategy) {
				t.Errorf("%s: %q is no strategy: Strategies does not have it", d.ID, strategy)
			}
		}
		if has(DiagnosisCommand) != (len(s.Commands) > 0) {
			t.Errorf("%s: commands %v with strategies %v", d.ID, s.Commands, s.Strategies)
		}
		if has(Progress) && (s.ProgressTitle == "" || s.BarrierMethod == "") {
			t.Errorf("%s: progress without title or barrier", d.ID)
		}
		if has(Barrier) && s.BarrierMethod == "" {
			t.Errorf("%s: a barrier without method", d.ID)
		}
		if (s.ClosedFiles == ClosedPull || has(Pull)) && !s.AnnouncePull {
			t.Errorf("%s: it is to be pulled, and pull is not announced", d.ID)
		}
		if s.ClosedFiles == ClosedCommand && len(s.Commands) == 0 {
			t.Errorf("%s: closed files by a command that is not there", d.ID)
		}
		if (s.Outside == OutsideReload) != (s.Reload != nil) {
			t.Errorf("%s: outside is %q, reload %v", d.ID, s.Outside, s.Reload)
		}
	}
}

// A file's language is that of the most specific pattern: a name, then a glob,
// then the longest suffix, and of equals the first.
func TestLanguageIDs(t *testing.T) {
	d := Definition{Languages: []Language{
		{"short", []string{".ts"}},
		{"long", []string{".d.ts"}},
		{"name", []string{"Makefile", "x.d.ts"}},
		{"glob", []string{"Dockerfile.*", "test_*.ts", "[ab].d.ts"}},
		{"second", []string{".ts", "Makefile"}},
		{"dotted", []string{".bashrc.d"}},
	}}
	for file, want := range map[string]string{
		"a.ts": "short", "z.d.ts": "long", "x.d.ts": "name", "a.d.ts": "glob", "test_a.ts": "glob", "Makefile": "name", "Dockerfile.dev": "glob",
		"/deep/dir/a.ts": "short", `C:\dir\a.ts`: "short", "a.b.ts": "short", "x.bashrc.d": "dotted",
		"a.tsx": "", "ts": "", ".ts": "", "A.TS": "", "makefile": "", "Makefile.am": "", "Dockerfile": "", "dir.ts/x": "", "": "", "Makefile/x": "",
	} {
		got, ok := d.LanguageID(file)
		if got != want || ok != (want != "") {
			t.Errorf("%q is %q, %t; want %q", file, got, ok, want)
		}
	}
	gopls, _ := Builtin().Get("gopls")
	for file, want := range map[string]string{"a/go.mod": "go.mod", "go.work": "go.work", "x_test.go": "go", "go.sum": "", "x.mod": ""} {
		if got, _ := gopls.LanguageID(file); got != want {
			t.Errorf("gopls: %s is %q, want %q", file, got, want)
		}
	}
}

// A table gives copies by id, and nothing for an unknown one; the caller owns
// what Builtin returns.
func TestTable(t *testing.T) {
	table := Builtin()
	d, ok := table.Get("gopls")
	if !ok || d.ID != "gopls" || d.Has("no such quirk") {
		t.Errorf("got %q, %t", d.ID, ok)
	}
	d.ID, d.Disabled = "changed", true
	if again, _ := table.Get("gopls"); again.Disabled || again.ID != "gopls" {
		t.Error("a copy changed the table")
	}
	if _, ok := table.Get("nope"); ok {
		t.Error("an unknown id is known")
	}
	for i := range table {
		table[i].Languages[0].Patterns[0] = "changed"
		if len(table[i].Roots) > 0 {
			table[i].Roots[0] = "changed"
		}
	}
	seen := 0
	for _, d := range table {
		seen += strings.Count(strings.Join(d.Languages[0].Patterns, " "), "changed")
	}
	if seen != len(table) {
		t.Errorf("%d entries were changed, want %d", seen, len(table))
	}
	for _, d := range Builtin() {
		if d.Languages[0].Patterns[0] == "changed" || slices.Contains(d.Roots, "changed") {
			t.Errorf("%s: one caller's change is seen by another", d.ID)
		}
	}
	if (&Definition{Quirks: []Quirk{"a"}}).Has("a") == false {
		t.Error("a quirk that is there is not found")
	}
}

// Of a server that takes folders it can be known which they are, and what stands for one
// of its files: its markers are plain names, and so is what ends its first language.
func TestServersOfSeveralRoots(t *testing.T) {
	for _, d := range Builtin() {
		if d.Sharing != TakesFolders && d.Sharing != Connected {
			continue
		}
		for _, name := range append(append(slices.Clone(d.Roots), d.Manifests...), d.Lists...) {
			if strings.ContainsAny(name, "*?[") {
				t.Errorf("%s: %s is a glob", d.ID, name)
			}
		}
		for _, name := range d.Lists {
			if !slices.Contains(d.Roots, name) {
				t.Errorf("%s: %s makes no root", d.ID, name)
			}
		}
		if !strings.HasPrefix(d.Languages[0].Patterns[0], ".") {
			t.Errorf("%s: %s is no extension", d.ID, d.Languages[0].Patterns[0])
		}
		if disk := d.Diagnostics.Disk; disk != nil && disk.Each != "" {
			if _, err := regexp.Compile(disk.Number); err != nil {
				t.Errorf("%s: %v", d.ID, err)
			}
		}
	}
}

// A server is concerned by files of its languages, by the markers of its roots, and by other files that it reads.
func TestConcerns(t *testing.T) {
	d := Definition{Languages: []Language{{ID: "toy", Patterns: []string{"*.toy"}}}, Roots: []string{"root.cfg"}, Reads: []string{".data"}}
	var got []string
	for _, name := range []string{"a.toy", "b.txt", "root.cfg", "other.cfg", "c.data", "data"} {
		if d.Concerns(filepath.Join("dir", name)) {
			got = append(got, name)
		}
	}
	if diff := cmp.Diff([]string{"a.toy", "root.cfg", "c.data"}, got); diff != "" {
		t.Error(diff)
	}
}
