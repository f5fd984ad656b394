//go:build unix

package servers

// A project is a tiny program in one language, and the edits of the story.
// Every text is small enough to judge by eye.
type project struct {
	// server is the id in the registry.
	server string
	files  map[string]string
	// user is the user's configuration, "" for none.
	user string
	// main is the file that is checked; it is right as given.
	main string
	// broken is what replaces good in main to break it.
	good, broken string
	// wrong is where the break is reported: a 1-based line, and a part of the
	// message.
	wrong finding
	// dependency is the file that main uses; breaking it there as well breaks
	// main, without a change of main.
	dependency          string
	dependencyGood      string
	dependencyBroken    string
	wrongByDependency   finding
	missing             string // main's text when it uses a file that is not there
	missingFile, supply string // the file that would mend it, and its text
	wrongByMissing      finding
	// unsaved is the reason why an answer about a text that is not on disk is only
	// partial; "" if it is whole.
	unsaved string
}

type finding struct {
	line    uint32
	message string
}

const goMain = "package m\n\nfunc Use() int {\n\tx := Add(1, 2)\n\treturn x\n}\n"

const tsMain = "import { add } from './a';\n\nexport const total: number = add(1, 2);\n"

const pyMain = "from a import add\n\ntotal: int = add(1, 2)\n"

const ccMain = "#include \"a.h\"\n\nint use() {\n  int x = add(1, 2);\n  return x;\n}\n"

const rustMain = "use crate::a::add;\n\npub fn f() -> i32 {\n    let x: i32 = add(1, 2);\n    x\n}\n"

const javaMain = "public class B {\n    int use() {\n        int x = A.add(1, 2);\n        return x;\n    }\n}\n"

// A project that Eclipse knows by its own files needs no build tool.
const (
	eclipseProject = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<projectDescription><name>m</name><buildSpec><buildCommand>" +
		"<name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec>" +
		"<natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>\n"
	eclipseClasspath = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<classpath><classpathentry kind=\"src\" path=\"\"/>" +
		"<classpathentry kind=\"con\" path=\"org.eclipse.jdt.launching.JRE_CONTAINER\"/>" +
		"<classpathentry kind=\"output\" path=\"bin\"/></classpath>\n"
)

func typeScript(server string) project {
	return project{
		server: server,
		files: map[string]string{
			"package.json":  "{\"name\":\"t\",\"version\":\"1.0.0\"}\n",
			"tsconfig.json": "{\"compilerOptions\":{\"strict\":true,\"target\":\"ES2020\",\"module\":\"commonjs\",\"noEmit\":true},\"include\":[\"*.ts\"]}\n",
			"a.ts":          "export function add(a: number, b: number): number { return a + b; }\n",
			"b.ts":          tsMain,
		},
		main: "b.ts", good: "add(1, 2)", broken: "add(1, \"x\")",
		wrong:      finding{3, "not assignable to parameter"},
		dependency: "a.ts", dependencyGood: "b: number)", dependencyBroken: "b: string)",
		wrongByDependency: finding{3, "not assignable to parameter"},
		missing:           "import { one } from './c';\n\nexport const total: number = one();\n",
		missingFile:       "c.ts", supply: "export function one(): number { return 1; }\n",
		wrongByMissing: finding{1, "Cannot find module"},
	}
}

var projects = []project{
	{
		server: "gopls",
		files: map[string]string{
			"go.mod": "module example.com/m\n\ngo 1.24\n",
			"a.go":   "package m\n\n// Add adds.\nfunc Add(a, b int) int { return a + b }\n",
			"b.go":   goMain,
		},
		main: "b.go", good: "Add(1, 2)", broken: "Add(1, \"x\")",
		wrong:      finding{4, "cannot use \"x\""},
		dependency: "a.go", dependencyGood: "a, b int", dependencyBroken: "a int, b string",
		wrongByDependency: finding{4, "cannot use 2"},
		missing:           "package m\n\nfunc Use() int {\n\treturn One()\n}\n",
		missingFile:       "c.go", supply: "package m\n\nfunc One() int { return 1 }\n",
		wrongByMissing: finding{4, "undefined: One"},
	},
	typeScript("typescript"),
	typeScript("typescript-language-server"),
	{
		server: "pyright",
		files: map[string]string{
			"pyrightconfig.json": "{}\n",
			"a.py":               "def add(a: int, b: int) -> int:\n    return a + b\n",
			"b.py":               pyMain,
		},
		main: "b.py", good: "add(1, 2)", broken: "add(1, \"x\")",
		wrong:      finding{3, "cannot be assigned to parameter"},
		dependency: "a.py", dependencyGood: "b: int", dependencyBroken: "b: str",
		wrongByDependency: finding{3, "cannot be assigned to parameter"},
		missing:           "from c import one\n\ntotal: int = one()\n",
		missingFile:       "c.py", supply: "def one() -> int:\n    return 1\n",
		wrongByMissing: finding{1, "could not be resolved"},
	},
	{
		server: "clangd",
		files: map[string]string{
			"compile_flags.txt": "-std=c++17\n-Wall\n",
			"a.h":               "#pragma once\nint add(int a, int b);\n",
			"b.cc":              ccMain,
		},
		main: "b.cc", good: "add(1, 2)", broken: "add(1, \"x\")",
		wrong:      finding{4, "No matching function"},
		dependency: "a.h", dependencyGood: "int b", dependencyBroken: "const char *b",
		wrongByDependency: finding{4, "No matching function"},
		missing:           "#include \"c.h\"\n\nint use() {\n  return one();\n}\n",
		missingFile:       "c.h", supply: "#pragma once\nint one();\n",
		wrongByMissing: finding{1, "file not found"},
	},
	{
		server: "rust-analyzer",
		files: map[string]string{
			"Cargo.toml": "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
			"src/lib.rs": "pub mod a;\npub mod b;\n",
			"src/a.rs":   "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n",
			"src/b.rs":   rustMain,
		},
		main: "src/b.rs", good: "add(1, 2)", broken: "add(1, \"x\")",
		wrong:      finding{4, "expected"},
		dependency: "src/a.rs", dependencyGood: "b: i32) -> i32 {\n    a + b", dependencyBroken: "_b: &str) -> i32 {\n    a",
		wrongByDependency: finding{4, "expected `&str`"},
		missing:           "mod c;\n\npub fn f() -> i32 {\n    c::one()\n}\n",
		missingFile:       "src/b/c.rs", supply: "pub fn one() -> i32 {\n    1\n}\n",
		wrongByMissing: finding{1, "file not found"},
		unsaved:        "cargo checks only what is on disk",
	},
	{
		server: "jdtls",
		files: map[string]string{
			".project":   eclipseProject,
			".classpath": eclipseClasspath,
			"A.java":     "public class A {\n    public static int add(int a, int b) {\n        return a + b;\n    }\n}\n",
			"B.java":     javaMain,
		},
		main: "B.java", good: "add(1, 2)", broken: "add(1, \"x\")",
		wrong:      finding{3, "not applicable for the arguments"},
		dependency: "A.java", dependencyGood: "int b) {\n        return a + b", dependencyBroken: "String b) {\n        return a",
		wrongByDependency: finding{3, "not applicable for the arguments"},
		missing:           "public class B {\n    int use() {\n        return C.one();\n    }\n}\n",
		missingFile:       "C.java", supply: "class C {\n    static int one() {\n        return 1;\n    }\n}\n",
		wrongByMissing: finding{3, "C cannot be resolved"},
	},
}
