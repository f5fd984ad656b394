package load

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// functions is how many functions each project declares; clients ask about different ones.
const functions = 24

// A project declares functions in one file, a line each, uses each of them in another one, and has an error in a third.
type project struct {
	name, server, manifest string
	lib, main, broken      string
	libHead, libLine       string // the line is a format of the number of the function
	mainHead, mainLine     string // so is this, without the declaration's indentation
	mainTail               string
	brokenText             string
	// wrong is where the error is, as answers show it.
	wrong string
}

var projects = []project{
	{
		name: "go", server: "gopls", manifest: "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n",
		lib: "lib.go", libHead: "package m\n\n", libLine: "func Fun%02d() int { return 1 }\n",
		main: "main.go", mainHead: "package m\n\nvar _ = []int{\n", mainLine: "Fun%02d(),\n", mainTail: "}\n",
		broken: "broken.go", brokenText: "package m\n\nvar Broken int = Fun00\n", wrong: "3:18",
	},
	{
		name: "ts", server: "typescript",
		manifest: "-- package.json --\n{\"name\":\"t\",\"version\":\"1.0.0\"}\n-- tsconfig.json --\n" +
			"{\"compilerOptions\":{\"strict\":true,\"module\":\"commonjs\",\"noEmit\":true},\"include\":[\"*.ts\"]}\n",
		lib: "lib.ts", libLine: "export function Fun%02d(): number { return 1; }\n",
		main: "main.ts", mainHead: "import * as lib from './lib';\n", mainLine: "lib.Fun%02d();\n",
		broken: "broken.ts", brokenText: "import { Fun00 } from './lib';\n\nexport const broken: string = Fun00();\n", wrong: "3:14",
	},
	{
		name: "py", server: "pyright", manifest: "-- pyrightconfig.json --\n{}\n",
		lib: "lib.py", libLine: "def Fun%02d() -> int: return 1\n",
		main: "main.py", mainHead: "import lib\n\n", mainLine: "lib.Fun%02d()\n",
		broken: "broken.py", brokenText: "import lib\n\nbroken: str = lib.Fun00()\n", wrong: "3:15",
	},
}

// write creates the project in a repository of its own, commits it, and returns its folder.
func (p *project) write(t *testing.T) (root string) {
	t.Helper()
	lib, main := p.libHead, p.mainHead
	for i := range functions {
		lib += fmt.Sprintf(p.libLine, i)
		main += fmt.Sprintf(p.mainLine, i)
	}
	root = lsptest.Workspace(t, p.manifest+"-- "+p.lib+" --\n"+lib+"-- "+p.main+" --\n"+main+p.mainTail+"-- "+p.broken+" --\n"+p.brokenText)
	lsptest.Git(t, root, "init", "--quiet")
	lsptest.Git(t, root, "add", ".")
	lsptest.Git(t, root, "commit", "--quiet", "--message", "one")
	return root
}

// A question is one call of a tool, what its answer must contain, and the one function that it may be about.
type question struct {
	kind, args string
	says       []string
	about      string
}

// named matches the name of a function of a project.
var named = regexp.MustCompile(`\bFun\d\d\b`)

// questions returns one question of each kind about a function.
func (p *project) questions(function int) []question {
	line := strings.Count(p.mainHead, "\n") + 1 + function
	column := strings.Index(p.mainLine, "Fun") + 1
	at := fmt.Sprintf(`{"at":"%s:%d:%d"}`, p.main, line, column)
	declared := fmt.Sprintf("definition at %s:%d:", p.lib, strings.Count(p.libHead, "\n")+1+function)
	name := fmt.Sprintf("Fun%02d", function)
	check := question{"check", `{"files":["` + p.broken + `"],"baseline":"none"}`, []string{p.broken, p.wrong}, "Fun00"}
	if function%2 == 1 { // compared with what was there when the session began
		check.args, check.says = `{"files":["`+p.broken+`"]}`, []string{p.broken, "no new errors, 1 older error"}
	}
	return []question{
		{"definition", at, []string{declared}, name},
		{"references", at, []string{fmt.Sprintf("reference at %s:%d:", p.main, line)}, name},
		check,
	}
}

// wrongs says what is wrong with the text of an answer, "" if nothing is.
func (q *question) wrongs(text string) string {
	for _, part := range q.says {
		if !strings.Contains(text, part) {
			return fmt.Sprintf("%s %s: %q is not in\n%s", q.kind, q.args, part, text)
		}
	}
	for _, name := range named.FindAllString(text, -1) {
		if name != q.about {
			return fmt.Sprintf("%s %s: the answer tells of %s:\n%s", q.kind, q.args, name, text)
		}
	}
	return ""
}

// address returns where a project is served.
func (p *project) address(origin string) string { return origin + "/w/" + p.name + "/mcp" }
