package fspath_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/fspath"
)

// names are those of files: with spaces, with what means something in URIs, in other alphabets.
func names(forbidden string) *rapid.Generator[string] {
	letters := rapid.SampledFrom([]rune(strings.Map(func(r rune) rune {
		if strings.ContainsRune(forbidden, r) {
			return -1
		}
		return r
	}, `aBcZ09 %#?&=+@[];,'"~$!()éÜß文😀.:\-_|<>*`)))
	return rapid.Custom(func(t *rapid.T) string {
		return string(rapid.SliceOfN(letters, 1, 8).Draw(t, "letters"))
	}).Filter(func(s string) bool { return s != "." && s != ".." })
}

// A path becomes a URI of plain ASCII and comes back as it was, on every system.
func TestPathsComeBackFromURIs(t *testing.T) {
	systems := map[string]struct {
		style fspath.Style
		paths *rapid.Generator[string]
	}{
		"linux":  {fspath.Linux, rooted("/", "/", names(""))},
		"darwin": {fspath.MacOS, rooted("/", "/", names(""))},
		"drives": {fspath.Windows, rapid.Custom(func(t *rapid.T) string {
			drive := rapid.StringMatching(`[A-Z]`).Draw(t, "drive")
			return rooted(drive+`:\`, `\`, names(`\:/*?"<>|`)).Draw(t, "path")
		})},
		"shares": {fspath.Windows, rapid.Custom(func(t *rapid.T) string {
			host := rapid.StringMatching(`[a-z][a-z0-9.-]{0,9}[a-z0-9$]`).Draw(t, "host")
			share := names(`\:/*?"<>|`).Draw(t, "share")
			return rooted(`\\`+host+`\`+share+`\`, `\`, names(`\:/*?"<>|`)).Draw(t, "path")
		}).Filter(func(s string) bool { return !strings.HasPrefix(s, `\\localhost\`) })},
	}
	for system, c := range systems {
		t.Run(system, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				name := c.paths.Draw(t, "path")
				uri := c.style.URI(name)
				for _, b := range []byte(uri) {
					if b <= ' ' || b >= 0x7f || strings.IndexByte(`#?"\`, b) >= 0 {
						t.Fatalf("%q became %q, which is no plain URI", name, uri)
					}
				}
				if got, err := c.style.Path(uri); got != name || err != nil {
					t.Fatalf("%q became %q and that %q, %v", name, uri, got, err)
				}
				if again := c.style.Clean(name); again != name {
					t.Fatalf("%q is cleaned to %q", name, again)
				}
			})
		})
	}
}

// rooted are clean paths below a root.
func rooted(root, separator string, names *rapid.Generator[string]) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return root + strings.Join(rapid.SliceOfN(names, 0, 4).Draw(t, "names"), separator)
	})
}

// However the volume of a file is spelled, its path is the same.
func TestVolumesHaveOneSpelling(t *testing.T) {
	for want, spellings := range map[string][]string{
		`C:\x\y.go`:           {`c:\x\y.go`, `C:/x/y.go`, `c:/x//./z/../y.go`, `\\?\C:\x\y.go`, `\\?\c:\x\y.go`, `//?/c:/x/y.go`, `\\?\UNC\?\C:\x\y.go`},
		`C:\`:                 {`c:\`, `C:/`, `c:/.`, `c:\..`},
		`C:.`:                 {`c:`, `C:.`},
		`C:a`:                 {`c:a`, `C:./a`},
		`\\host\Share\x`:      {`\\HOST\Share\x`, `//host/Share/x`, `\\?\UNC\Host\Share\x`, `\\host\Share\y\..\x`, `\\host\Share\..\x`},
		`\\host\`:             {`\\host`, `\\HOST\`, `//host//`, `\\?\UNC\host`},
		`\\host\Share\`:       {`\\host\\Share`, `//host//Share//.`, `\\host\Share`, `\\host\Share\`, `//Host/Share/.`},
		`\\wsl.localhost\D\x`: {`\\wsl.localhost\D\x`, `\\WSL.localhost\D\x`},
		`.\C:\x`:              {`.\C:\x`, `y\..\C:\x`, `./C:/x`},
		`\x`:                  {`\x`, `/x`, `/y/../x`, `///x`, `////x`},
		`.`:                   {``, `.`, `x\..`},
		`x\y`:                 {`x/y`, `x\.\y`},
	} {
		for _, spelling := range spellings {
			if got := fspath.Windows.Clean(spelling); got != want {
				t.Errorf("%s is %s, not %s", spelling, got, want)
			}
			if got := fspath.Windows.Clean(want); got != want {
				t.Errorf("%s is not clean: %s", want, got)
			}
		}
	}
}

// What is clean stays as it is, whatever it was made of.
func TestCleanIsClean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		end := rapid.StringOfN(rapid.SampledFrom([]rune(`\\/a.:C?`)), 0, 12, -1).Draw(t, "end")
		for _, begin := range []string{"", `\\`, `\\?\`, `\\?\UNC\`} {
			clean := fspath.Windows.Clean(begin + end)
			if again := fspath.Windows.Clean(clean); again != clean {
				t.Errorf("%s is %s, and that is %s", begin+end, clean, again)
			}
		}
	})
}

// However a server spells the URI of a file, its path is the same.
func TestSpellingsOfWindowsURIs(t *testing.T) {
	for want, spellings := range map[string][]string{
		`C:\a b\x.go`:   {"file:///c%3A/a%20b/x.go", "file:///C:/a%20b/x.go", "file:///c:/a b/x.go", "file:/c:/a%20b/x.go", "file://localhost/c:/a%20b/x.go", "FILE:///C%3a/a%20b/x.go", "file:///C:/a%20b/y/../x.go"},
		`\\host\s\x.go`: {"file://host/s/x.go", "file://HOST/s/x.go", "file:////host/s/x.go"},
	} {
		for _, spelling := range spellings {
			if got, err := fspath.Windows.Path(spelling); got != want || err != nil {
				t.Errorf("%s is %q, %v; want %q", spelling, got, err, want)
			}
		}
	}
	for _, u := range []string{"file:///x.go", "file:///", "file:c:/x", "http://c:/x", `c:\x`} {
		if got, err := fspath.Windows.Path(u); err == nil {
			t.Errorf("%s has the path %q", u, got)
		}
	}
}

// What begins like a drive is a folder like any other where there are none.
func TestNoDrivesOnOtherSystems(t *testing.T) {
	for want, spellings := range map[string][]string{
		"/C:/x": {"file:///C:/x", "file:///C%3A/x", "file:/C:/x", "file://localhost/C:/x", "file:///C:/y//../x"},
		"/c:/x": {"file:///c:/x", "file:///c%3a/x"},
	} {
		for _, spelling := range spellings {
			if got, err := fspath.Linux.Path(spelling); got != want || err != nil {
				t.Errorf("%s is %q, %v; want %q", spelling, got, err, want)
			}
		}
	}
}

// The URI of a path keeps the letters of a folder that looks like a drive, and only of that.
func TestURIsOfFoldersLikeDrives(t *testing.T) {
	want := map[string]string{
		"/C:/x": "file:///C%3A/x", "/c:/x": "file:///c%3A/x", "/C:": "file:///C%3A", "/Z:/A b": "file:///Z%3A/A%20b",
		"/x/C:/y": "file:///x/C%3A/y", "/C/x": "file:///C/x", "/CD:/x": "file:///CD%3A/x", "/": "file:///",
	}
	got := make(map[string]string)
	for path := range want {
		got[path] = fspath.Linux.URI(path)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := fspath.Windows.URI(`C:\x`); got != "file:///c%3A/x" {
		t.Errorf("a drive is %s", got)
	}
}

// A path is absolute if it names one file from everywhere: on Windows neither \x nor c:x does.
func TestAbsolutePaths(t *testing.T) {
	windows := map[string]bool{`C:\x`: true, `c:/`: true, `\\h\s\x`: true, `\\?\C:\x`: true, `C:x`: false, `\x`: false, `x`: false, ``: false, `C:`: false}
	got := make(map[string]bool)
	for name := range windows {
		got[name] = fspath.Windows.IsAbs(name)
	}
	if diff := cmp.Diff(windows, got); diff != "" {
		t.Error(diff)
	}
	if !fspath.Linux.IsAbs("/x") || fspath.Linux.IsAbs(`C:\x`) {
		t.Error("Linux has drives")
	}
}

// .git, and the folder of each other version control, is known under each name that a system takes for it, and nothing
// else is.
func TestNamesOfMetadata(t *testing.T) {
	type known struct{ Linux, MacOS, Windows bool }
	all := map[string]known{
		".hg": {true, true, true}, ".Hg": {true, true, true}, ".jj": {true, true, true}, ".svn": {true, true, true}, ".sl": {true, true, true},
		".bzr": {true, true, true}, "_darcs": {true, true, true}, "HG~1": {Windows: true}, "svn~1": {Windows: true}, ".hg. ": {Windows: true},
		".hgignore": {}, ".hgtags": {}, "hg": {}, ".svnignore": {}, ".jjconfig.toml": {}, "darcs": {},
		".git": {true, true, true}, ".GIT": {true, true, true}, ".gIt": {true, true, true},
		".git.": {Windows: true}, ".git ": {Windows: true}, ".Git. . ": {Windows: true},
		"GIT~1": {Windows: true}, "git~1.": {Windows: true}, "git~1 ": {Windows: true},
		".git::$INDEX_ALLOCATION": {Windows: true}, ".git:x": {Windows: true}, ".git .:x": {Windows: true},
		".g\u200cit": {MacOS: true}, "\ufeff.git": {MacOS: true},
		".gitignore": {}, "git": {}, "git~2": {}, ".git~1": {}, "..git": {}, ". git": {}, "": {}, ".": {}, ":.git": {},
	}
	got := make(map[string]known)
	for name := range all {
		got[name] = known{fspath.Linux.IsMetadata(name), fspath.MacOS.IsMetadata(name), fspath.Windows.IsMetadata(name)}
	}
	if diff := cmp.Diff(all, got); diff != "" {
		t.Error(diff)
	}
}

// A name that Windows reads as another one is told.
func TestNamesThatAreNotKept(t *testing.T) {
	for path, want := range map[string]string{
		`C:\a\b.go`: "", `C:\a \b`: "a ", `C:\a.\b`: "a.", `C:\x.go:stream`: "x.go:stream", `a/nul`: "nul", `a\NUL.txt`: "NUL.txt", `com1`: "com1",
		`lpt9.c`: "lpt9.c", `com¹`: "com¹", `com10`: "", `common`: "", `..\x`: "", `.\x`: "", `\\?\C:\x`: "", `\\h\s\x`: "", `a\b?`: "b?", "console.go": "", "auxiliary": "",
		"con": "con", "a . ": "a . ", "...": "...",
	} {
		if got := fspath.Windows.Misnamed(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		if got := fspath.Linux.Misnamed(path); got != "" {
			t.Errorf("Linux keeps %q", got)
		}
	}
}

// Names in other letters are one file where case does not count.
func TestCaseOfNames(t *testing.T) {
	for _, pair := range [][2]string{{"new.go", "NEW.go"}, {"éa", "ÉA"}, {"main.go", "Main.go"}} {
		if fspath.Linux.Same(pair[0], pair[1]) || !fspath.Windows.Same(pair[0], pair[1]) || !fspath.MacOS.Same(pair[0], pair[1]) {
			t.Errorf("%s and %s", pair[0], pair[1])
		}
	}
	if fspath.Windows.Same("a", "b") || !fspath.Linux.Same("a", "a") {
		t.Error("a and b")
	}
}

// The name of a program has no ending where systems give it one.
func TestNamesOfPrograms(t *testing.T) {
	for name, want := range map[string]string{
		`C:\bin\gopls.exe`: "gopls", `gopls.EXE`: "gopls", `tsc.cmd`: "tsc", `C:/x/a.b`: "a.b", ".exe": ".exe", "cmd": "cmd",
	} {
		if got := fspath.Windows.Base(name); got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
	if got := fspath.Linux.Base("/bin/gopls.exe"); got != "gopls.exe" {
		t.Errorf("Linux drops the ending: %s", got)
	}
}

// On the system that we run on a path is cleaned as the library does.
func TestTheLibraryAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`([A-Z]:)?([\\/](\.|\.\.|a|B c)){0,5}[\\/]?`).Draw(t, "path")
		if got, want := fspath.Here.Clean(name), filepath.Clean(name); got != want {
			t.Fatalf("%q is cleaned to %q, and by filepath to %q", name, got, want)
		}
	})
}

// The last value of a variable counts, and on Windows however its name is written.
func TestVariables(t *testing.T) {
	environ := []string{"PATH=/a", "Path=/b", "HOME=/old", "HOME=/h=x", "PATHEXT=.EXE", `=C:=C:\x`, "EMPTY="}
	want := map[string][2]string{"PATH": {"/a", "/b"}, "HOME": {"/h=x", "/h=x"}, "home": {"", "/h=x"}, "EMPTY": {"", ""}, "NONE": {"", ""}, "EXT": {"", ""}}
	got := make(map[string][2]string)
	for name := range want {
		got[name] = [2]string{fspath.Linux.Variable(environ, name), fspath.Windows.Variable(environ, name)}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if value := fspath.MacOS.Variable(environ, "home"); value != "" {
		t.Errorf("macOS has home=%s", value)
	}
}
