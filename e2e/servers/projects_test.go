package servers

// A project is a tiny program in one language, and the edits of the story.
// Every text is small enough to judge by eye.
type project struct {
	// server is the id in the registry.
	server string
	files  map[string]string
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
}

type finding struct {
	line    uint32
	message string
}

const goMain = "package m\n\nfunc Use() int {\n\tx := Add(1, 2)\n\treturn x\n}\n"

const tsMain = "import { add } from './a';\n\nexport const total: number = add(1, 2);\n"

const pyMain = "from a import add\n\ntotal: int = add(1, 2)\n"

const ccMain = "#include \"a.h\"\n\nint use() {\n  int x = add(1, 2);\n  return x;\n}\n"

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
}
