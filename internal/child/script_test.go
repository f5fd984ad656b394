package child

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cmd.exe is given each argument of a script so that it takes nothing in it for its own.
func TestScriptsGetTheirArguments(t *testing.T) {
	for arg, want := range map[string]string{
		"--stdio":     `--stdio`,
		`C:\x\y.go`:   `C:\x\y.go`,
		"":            `""`,
		"a b":         `"a b"`,
		"a&calc":      `"a&calc"`,
		"a|b":         `"a|b"`,
		"^>x":         `"^>x"`,
		`a"b`:         `"a""b"`,
		`a\"&calc`:    `"a\\""&calc"`,
		`x\`:          `"x\\"`,
		"%PATH%":      `"%%cd:~,%PATH%%cd:~,%"`,
		"--a=b":       `"--a=b"`,
		"é":           `é`,
		"a;b":         `"a;b"`,
		"!x!":         `"!x!"`,
		`\a"`:         `"\a"""`,
		`\%"`:         `"\%%cd:~,%"""`,
		`C:\a b\c d\`: `"C:\a b\c d\\"`,
	} {
		line, err := scriptLine(`C:\Windows\System32\cmd.exe`, `C:\npm\tsc.cmd`, []string{arg})
		all := `"C:\Windows\System32\cmd.exe" /e:ON /v:OFF /d /c ""C:\npm\tsc.cmd" ` + want + `"`
		if err != nil {
			t.Errorf("%q: %v", arg, err)
		}
		if diff := cmp.Diff(all, line); diff != "" {
			t.Errorf("%q:\n%s", arg, diff)
		}
	}
}

// What cmd.exe cannot be given is refused.
func TestScriptsGetNoLines(t *testing.T) {
	for _, arg := range []string{"a\nb", "a\rb", "a\x00b"} {
		if line, err := scriptLine("cmd.exe", "x.cmd", []string{arg}); err == nil {
			t.Errorf("%q became %q", arg, line)
		}
	}
	for _, script := range []string{`a"b.cmd`, `x\`} {
		if line, err := scriptLine("cmd.exe", script, nil); err == nil {
			t.Errorf("%q became %q", script, line)
		}
	}
}

// A script of cmd.exe is told by its ending, in any case of letters.
func TestScripts(t *testing.T) {
	for name, want := range map[string]bool{`C:\x\tsc.cmd`: true, "X.BAT": true, "tsc.exe": false, "cmd": false, "a.cmd.exe": false} {
		if isScript(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
