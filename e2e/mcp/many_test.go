package mcp

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
)

// functions is how many functions each language has, and calls there are at once.
const functions = 20

// A crowd is functions in one file, a line each, and a use of each in another.
type crowd struct {
	server, prefix   string
	lib, main        string
	libHead, libLine string // format of the number
	useHead, useLine string
	useTail          string
}

var crowds = []crowd{
	{
		"gopls", "Go", "lib.go", "main.go", "package m\n", "func %[2]s() int { return %[1]d }\n",
		"package m\n\nvar _ = []int{\n", "\t%[2]s(),\n", "}\n",
	},
	{
		"typescript", "Ts", "lib.ts", "main.ts", "\n", "export function %[2]s(): number { return %[1]d; }\n",
		"import * as lib from './lib';\n\n\n", "lib.%[2]s();\n", "",
	},
	{
		"pyright", "Py", "lib.py", "main.py", "\n", "def %[2]s() -> int: return %[1]d\n",
		"import lib\n\n\n", "lib.%[2]s()\n", "",
	},
}

func (c *crowd) function(i int) string { return fmt.Sprintf("%sF%d", c.prefix, i) }

// Lines of the declaration and the use of a function, from 1.
func (c *crowd) declared(i int) int { return 1 + strings.Count(c.libHead, "\n") + i }
func (c *crowd) used(i int) int     { return 1 + strings.Count(c.useHead, "\n") + i }

func (c *crowd) archive() string {
	lib, main := c.libHead, c.useHead
	for i := range functions {
		lib += fmt.Sprintf(c.libLine, i, c.function(i))
		main += strings.Replace(c.useLine, "%[2]s", c.function(i), 1)
	}
	return fmt.Sprintf("-- %s --\n%s-- %s --\n%s", c.lib, lib, c.main, main+c.useTail)
}

// use is the line that uses a function, trimmed.
func (c *crowd) use(i int) string {
	return strings.TrimSpace(strings.Replace(c.useLine, "%[2]s", c.function(i), 1))
}

// ask returns the i-th call and what only its answer says.
func (c *crowd) ask(i int) (tool, args, says string) {
	column := strings.Index(c.useLine, "%[2]s") + 1
	use := fmt.Sprintf(`{"at":"%s:%d:%d"}`, c.main, c.used(i), column)
	switch i / len(crowds) % 3 {
	case 0:
		return "definition", use, fmt.Sprintf("definition at %s:%d:", c.lib, c.declared(i))
	case 1:
		return "references", use, c.use(i)
	default:
		return "inspect", use, fmt.Sprintf("defined at %s:%d:", c.lib, c.declared(i))
	}
}

// judge says what is wrong with the answer to the i-th call, or "".
func (c *crowd) judge(i int, text string) string {
	_, _, says := c.ask(i)
	if !strings.Contains(text, says) {
		return fmt.Sprintf("%s: %q is not in\n%s", c.function(i), says, text)
	}
	names := regexp.MustCompile(`\b(Go|Ts|Py)F\d+\b`).FindAllString(text, -1)
	for _, name := range names {
		if name != c.function(i) {
			return fmt.Sprintf("%s: the answer tells of %s:\n%s", c.function(i), name, text)
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf("%s: the answer tells of nothing:\n%s", c.function(i), text)
	}
	return ""
}

// Twenty calls at once over three servers, each about a symbol of its own, some
// cancelled on the way: every answer is that of its own call, what was cancelled
// says so, and the session is as good as new after it. The servers start in the
// first round, and run in the others.
func TestManyCallsAtOnce(t *testing.T) {
	archive := "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- package.json --\n{\"name\":\"t\",\"version\":\"1.0.0\"}\n" +
		"-- tsconfig.json --\n{\"compilerOptions\":{\"strict\":true,\"module\":\"commonjs\",\"noEmit\":true},\"include\":[\"*.ts\"]}\n" +
		"-- pyrightconfig.json --\n{}\n"
	for i := range crowds {
		lsptest.Require(t, crowds[i].server)
		archive += crowds[i].archive()
	}
	session := start(t, lsptest.Workspace(t, archive), "2026-07-28")
	random := rand.New(rand.NewPCG(1, 2))
	for _, within := range []time.Duration{400 * time.Millisecond, 20 * time.Millisecond, 3 * time.Millisecond} {
		manyCalls(t, session, random, within)
	}
	for i := range functions {
		c := &crowds[i%len(crowds)]
		tool, args, _ := c.ask(i)
		_, text, err := call(t.Context(), session, tool, args)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := c.judge(i, text); wrong != "" {
			t.Errorf("after all, %s %s: %s", tool, args, wrong)
		}
	}
}

// manyCalls makes the calls of one round. A quarter of them is cancelled within
// the time, and one at once.
func manyCalls(t *testing.T, session *mcp.ClientSession, random *rand.Rand, within time.Duration) {
	t.Helper()
	type outcome struct {
		call      int
		cancelled bool
		text      string
		err       error
	}
	done := make(chan outcome)
	for i := range functions {
		c := &crowds[i%len(crowds)]
		ctx, cancel := context.WithCancel(t.Context())
		tool, args, _ := c.ask(i)
		cancelled := i == 0 || random.IntN(4) == 0
		if i == 0 {
			cancel()
		} else if cancelled {
			time.AfterFunc(time.Duration(random.Int64N(int64(within))), cancel)
		}
		go func() { // received below
			defer cancel()
			_, text, err := call(ctx, session, tool, args)
			done <- outcome{i, cancelled, text, err}
		}()
	}
	ended := 0
	for range functions {
		o := <-done
		switch {
		case o.err != nil && o.cancelled && errors.Is(o.err, context.Canceled):
			ended++
		case o.err != nil:
			t.Errorf("call %d, cancelled %t: %v", o.call, o.cancelled, o.err)
		default:
			if wrong := crowds[o.call%len(crowds)].judge(o.call, o.text); wrong != "" {
				t.Error(wrong)
			}
		}
	}
	if ended == 0 {
		t.Error("no call was cancelled")
	}
	t.Logf("within %s: %d of %d calls were cancelled", within, ended, functions)
}
