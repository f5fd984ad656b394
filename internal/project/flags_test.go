package project

import (
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// Flags that say how to read a text are harmless; what writes a file, loads a library or hides other flags is not, however it is
// written, and neither is what cannot be read.
func TestHarmlessFlags(t *testing.T) {
	root := t.TempDir()
	for name, c := range map[string]struct {
		file, text string
		want       bool
	}{
		"cmake":               {"compile_commands.json", `[{"directory":"/b","file":"a.cpp","command":"/usr/bin/c++ -DX=\"a b\" -I../include -isystem /usr/x -O2 -g -std=gnu++17 -fPIC -Wall -o a.o -c a.cpp"}]`, true},
		"arguments":           {"compile_commands.json", `[{"directory":"/b","file":"a.c","arguments":["cc","-m64","-c","a.c"]}]`, true},
		"no command":          {"compile_commands.json", `[]`, true},
		"lines":               {"compile_flags.txt", "-I\ninclude\n-std=c++20\n", true},
		"a log":               {"compile_flags.txt", "-Xclang\n-diagnostic-log-file\n-Xclang\nx\n", false},
		"a plug-in":           {"compile_commands.json", `[{"command":"cc -fplugin=./a.so -c a.c"}]`, false},
		"one that is quoted":  {"compile_commands.json", `[{"command":"cc '-fplugin=./a.so' -c a.c"}]`, false},
		"one that is escaped": {"compile_commands.json", `[{"command":"cc \\-fplugin=./a.so -c a.c"}]`, false},
		"diagnostics":         {"compile_commands.json", `[{"arguments":["cc","--serialize-diagnostics","x","-c","a.c"]}]`, false},
		"a cache":             {"compile_commands.json", `[{"command":"cc -c a.c"},{"command":"cc -fmodules-cache-path=x -c a.c"}]`, false},
		"a file of flags":     {"compile_commands.json", `[{"command":"cc @flags -c a.c"}]`, false},
		"for another program": {"compile_commands.json", `[{"command":"cc -Wp,-MD,x -c a.c"}]`, false},
		"not to be read":      {"compile_commands.json", `[`, false},
	} {
		path := filepath.Join(root, c.file)
		lsptest.WriteFile(t, path, c.text)
		if got := HarmlessFlags(path); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if HarmlessFlags(filepath.Join(root, "gone.json")) {
		t.Error("a file that is not there is harmless")
	}
}
