package fspath_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/fspath"
)

// A system has the style that its files have; one that is not known is like Linux.
func TestStylesOfSystems(t *testing.T) {
	for system, want := range map[string]fspath.Style{
		"windows": fspath.Windows, "darwin": fspath.MacOS, "ios": fspath.MacOS, "linux": fspath.Linux, "freebsd": fspath.Linux, "": fspath.Linux,
	} {
		if got := fspath.Of(system); got != want {
			t.Errorf("%s is %+v", system, got)
		}
	}
}

// Only a letter with a colon is a drive, and only a host with its share is a volume.
func TestEdgesOfVolumes(t *testing.T) {
	want := map[string]string{
		`a:\x`: `A:\x true`, `z:/x`: `Z:\x true`, `A:`: `A:. false`, `@:\x`: `@:\x false`, `[:\x`: `[:\x false`, "`:\\x": "`:\\x false", `{:\x`: `{:\x false`, `1:\x`: `1:\x false`,
		`ab:\x`: `ab:\x false`, `a`: `a false`, `:`: `: false`, `\\`: `\ false`, `\\\x`: `\x false`,
		`\\?\unc\H\S`: `\\h\S\ true`, `\\?\a:`: `A:. false`,
	}
	got := make(map[string]string)
	for name := range want {
		got[name] = fmt.Sprint(fspath.Windows.Clean(name), " ", fspath.Windows.IsAbs(name))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]string{`C:\a\..\b`: `C:\a\..\b`, "/a/../b/": "/b", "": ".", `//h/s/x`: "/h/s/x"} {
		if got := fspath.Linux.Clean(name); got != want {
			t.Errorf("Linux cleans %s to %s", name, got)
		}
	}
}

// A URI names a file if its path has a root; of a host alone, and of other schemes, there is none.
func TestEdgesOfURIs(t *testing.T) {
	type found struct{ Linux, Windows string }
	want := map[string]found{
		"file:///":                {"/", "none"},
		"file:///x":               {"/x", "none"},
		"file:/x":                 {"/x", "none"},
		"file:///C":               {"/C", "none"},
		"file:///C:":              {"/C:", "none"},
		"file:///C:/":             {"/C:", `C:\`},
		"file:///C%3a/%25":        {"/C:/%", `C:\%`},
		"file:///1:/x":            {"/1:/x", "none"},
		"file:////h/s/x":          {"none", `\\h\s\x`},
		"file://h/s/x":            {"/h/s/x", `\\h\s\x`},
		"file://LOCALHOST/C:/x":   {"/C:/x", `C:\x`},
		"file://localhost/x":      {"/x", "none"},
		"file:x":                  {"none", "none"},
		"file:":                   {"none", "none"},
		"file":                    {"none", "none"},
		"/x":                      {"none", "none"},
		"":                        {"none", "none"},
		"files:///x":              {"none", "none"},
		"untitled:/x":             {"none", "none"},
		"file:///a%2Fb/../c%20d/": {"/a/c d", "none"},
		"file://":                 {"/", "none"},
		"file://localhost":        {"/", "none"},
		"file://localhost/":       {"/", "none"},
		"file:///x/./y//z?q#f":    {"/x/y/z", "none"},
	}
	got := make(map[string]found)
	shown := func(style fspath.Style, uri string) string {
		path, err := style.Path(uri)
		if err != nil {
			path += "none"
		}
		return path
	}
	for uri := range want {
		got[uri] = found{shown(fspath.Linux, uri), shown(fspath.Windows, uri)}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for uri, want := range map[string]string{
		"untitled:x": `document URI "untitled:x": scheme is not file`, "file:x": `document URI "file:x": no absolute path`,
	} {
		if _, err := fspath.Linux.Path(uri); err == nil || err.Error() != want {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if _, err := fspath.Windows.Path("file:///x"); err == nil || err.Error() != `document URI "file:///x": no absolute path` {
		t.Errorf("without a drive: %v", err)
	}
}

// Each device is one with any ending, and what only begins or ends like one is a file.
func TestNamesOfDevices(t *testing.T) {
	for name, is := range map[string]bool{
		"CON": true, "prn": true, "Aux": true, "nul": true, "conin$": true, "CONOUT$": true, "com0": true, "COM9": true, "lpt0": true, "LPT1": true, "lpt¹": true, "com²": true, "com³.x": true,
		"nul.tar.gz": true, "nul .txt": true, "com": false, "com.txt": false, "lpt": false, "com⁴": false, "com/": false, "com:": true, "com1a": false, "lpt¹²": false, "xcom1": false, "con$": false, "conin": false,
		"nul1": false, "coma": false, "com12": false, "x.nul": false, ".nul": false,
	} {
		if got := fspath.Windows.Misnamed("a/"+name) != ""; got != is {
			t.Errorf("%s: %t, want %t", name, got, is)
		}
	}
	for _, sign := range `<>:"|?*` {
		name := "x" + string(sign) + "y"
		if got := fspath.Windows.Misnamed(`C:\a\` + name + `\b`); got != name {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, style := range []fspath.Style{fspath.Linux, fspath.MacOS} {
		if got := style.Misnamed("a./nul/b?"); got != "" {
			t.Errorf("%+v does not keep %s", style, got)
		}
	}
}

// macOS does not see exactly these characters in a name.
func TestCharactersThatNobodySees(t *testing.T) {
	for r, is := range map[rune]bool{
		0x200b: false, 0x200c: true, 0x200d: true, 0x200f: true, 0x2010: false, 0x2029: false, 0x202a: true, 0x202e: true, 0x202f: false,
		0x2069: false, 0x206a: true, 0x206f: true, 0x2070: false, 0xfefe: false, 0xfeff: true, 0xff00: false,
	} {
		for _, name := range []string{string(r) + ".git", ".gi" + string(r) + "t", ".git" + string(r)} {
			if got := fspath.MacOS.IsMetadata(name); got != is {
				t.Errorf("%U in %q: %t", r, name, got)
			}
		}
	}
}

// The ending of a program counts only where systems have one, and only one of it.
func TestEndingsOfPrograms(t *testing.T) {
	for name, want := range map[string]string{
		"a.BAT": "a", "a.com": "a", "a.exe.cmd": "a.exe", `C:\x\`: "x", "": ".", "a.ps1": "a.ps1", "aexe": "aexe", "x/.cmd": ".cmd",
	} {
		if got := fspath.Windows.Base(name); got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
	for name, want := range map[string]string{`a\b.cmd`: `a\b.cmd`, "/a/b/": "b"} {
		if got := fspath.Linux.Base(name); got != want {
			t.Errorf("Linux: %s is %s", name, got)
		}
	}
}

// What a system takes for one name has one key, however the letters fold.
func TestKeysOfNames(t *testing.T) {
	for name, want := range map[string]string{"Main.GO": "main.go", "ſ": "s", "ẞ": "ß", "ÉA": "éa", "": ""} {
		if got := fspath.Windows.Key(name); got != want {
			t.Errorf("%s has %s", name, got)
		}
		if got := fspath.Linux.Key(name); got != name {
			t.Errorf("Linux: %s has %s", name, got)
		}
	}
}
