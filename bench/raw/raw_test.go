package raw_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/bench/raw"
	"github.com/lspine/lspine/bench/rawtest"
)

// a project of two files; the one called file uses the other.
type project struct {
	file        string
	files       map[string]string
	good, wrong string // texts of file
}

func projects() map[string]project {
	typescript := project{
		file: "b.ts",
		files: map[string]string{
			"tsconfig.json": `{"compilerOptions":{"strict":true,"target":"ES2020","module":"commonjs","noEmit":true},"include":["*.ts"]}`,
			"a.ts":          "export function add(a: number, b: number): number { return a + b; }\n",
		},
		good:  "import { add } from './a';\n\nexport const total: number = add(1, 2);\n",
		wrong: "import { add } from './a';\n\nexport const total: number = add(1, 'x');\n",
	}
	return map[string]project{
		"gopls": {
			file: "b.go",
			files: map[string]string{
				"go.mod": "module example.com/m\n\ngo 1.24\n",
				"a.go":   "package m\n\nfunc Add(a, b int) int { return a + b }\n",
			},
			good:  "package m\n\nfunc Use() int {\n\treturn Add(1, 2)\n}\n",
			wrong: "package m\n\nfunc Use() int {\n\treturn Add(1, \"x\")\n}\n",
		},
		"typescript":                 typescript,
		"typescript-language-server": typescript,
		"pyright": {
			file: "b.py",
			files: map[string]string{
				"pyproject.toml": "[project]\nname = \"m\"\nversion = \"0\"\n",
				"a.py":           "def add(a: int, b: int) -> int:\n    return a + b\n",
			},
			good:  "from a import add\n\ntotal: int = add(1, 2)\n",
			wrong: "from a import add\n\ntotal: int = add(1, \"x\")\n",
		},
		"clangd": {
			file: "b.cc",
			files: map[string]string{
				"compile_flags.txt": "-std=c++17\n-Wall\n",
				"a.h":               "#pragma once\nint add(int a, int b);\n",
			},
			good:  "#include \"a.h\"\n#include <vector>\n\nint use() {\n  return add(1, 2);\n}\n",
			wrong: "#include \"a.h\"\n#include <vector>\n\nint use() {\n  return add(1, \"x\");\n}\n",
		},
		"rust-analyzer": {
			file: "src/b.rs",
			files: map[string]string{
				"Cargo.toml": "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
				"src/lib.rs": "pub mod a;\npub mod b;\n",
				"src/a.rs":   "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n",
			},
			good:  "use crate::a::add;\n\npub fn total() -> i32 {\n    add(1, 2)\n}\n",
			wrong: "use crate::a::add;\n\npub fn total() -> i32 {\n    add(1, \"x\")\n}\n",
		},
		"jdtls": {
			file: "src/B.java",
			files: map[string]string{
				".project": `<?xml version="1.0"?><projectDescription><name>m</name><buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder` +
					`</name></buildCommand></buildSpec><natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>`,
				".classpath": `<?xml version="1.0"?><classpath><classpathentry kind="src" path="src"/>` +
					`<classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="bin"/></classpath>`,
				"src/A.java": "public class A {\n    static int add(int a, int b) { return a + b; }\n}\n",
			},
			good:  "public class B {\n    int total() { return A.add(1, 2); }\n}\n",
			wrong: "public class B {\n    int total() { return A.add(1, \"x\"); }\n}\n",
		},
	}
}

// Breaking a file shows the error, mending it shows none, again and again, and
// the server ends when told to.
func TestEveryServerSeesBreakAndFix(t *testing.T) {
	all := projects()
	all["gopls, edited file only"] = all["gopls"]
	for name, p := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := written(t, p)
			id, only, _ := strings.Cut(name, ", ")
			spec := rawtest.Need(t, id)
			if only != "" {
				spec = spec.EditedFileOnly()
			}
			c, err := raw.Start(t.Context(), spec, root)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { closed(t, c) })
			diagnostics, err := c.Open(t.Context(), p.file, p.good)
			expect(t, "opened", diagnostics, err, 0)
			for range 3 {
				diagnostics, err = c.Change(t.Context(), p.file, p.wrong)
				expect(t, "broken", diagnostics, err, 1)
				diagnostics, err = c.Change(t.Context(), p.file, p.good)
				expect(t, "fixed", diagnostics, err, 0)
			}
		})
	}
}

// gopls tells about the files that use what an edit broke, though none is open.
func TestGoplsCountsDependants(t *testing.T) {
	p := projects()["gopls"]
	root := written(t, p)
	c, err := raw.Start(t.Context(), rawtest.Need(t, "gopls"), root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closed(t, c) })
	own, err := c.Open(t.Context(), "a.go", p.files["a.go"])
	expect(t, "opened", own, err, 0)
	own, err = c.Change(t.Context(), "a.go", "package m\n\nfunc Add(a, b, c int) int { return a + b + c }\n")
	expect(t, "broken", own, err, 0)
	if c.Errors() != 1 {
		t.Errorf("%d errors in the workspace, not the one in b.go", c.Errors())
	}
}

func expect(t *testing.T, when string, got raw.Diagnostics, err error, errors int) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	if got.Errors() != errors {
		t.Fatalf("%s: %d errors, expected %d: %+v", when, got.Errors(), errors, got)
	}
}

// closed ends the client. The test's own context is over when it is called.
func closed(t *testing.T, c *raw.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // clangd finishes its index first
	defer cancel()
	if err := c.Close(ctx); err != nil {
		t.Error(err)
	}
}

func written(t *testing.T, p project) string {
	t.Helper()
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, filepath.Dir(p.file)), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range p.files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, p.file), []byte(p.good), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}
