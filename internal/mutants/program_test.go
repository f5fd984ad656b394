package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

const kinds = `
-- go.mod --
module room

go 1.24
-- internal/room/room.go --
package room

import "errors"

type level int

var least = func(n int) bool { return n < 1 }(1)

func Kinds(list []int, ready bool) (out []int) {
	if len(list) > 2 && // a comment between
		(ready || list[0] >= 1) {
		out = append(out, 1)
	}
	for _, n := range list[1:] {
		if n <= 2 {
			continue
		}
		out = append(out, n+10-1)
	}
	if err := errors.New("none"); err != nil {
		out = append(out, 2)
	}
	if least {
		out = append(out, 3)
	}
	return out
}

func True() bool { return true }

func Three() int { return 3 }

func Level() level { return 4 }

func Panics() int {
	for {
		panic("always")
	}
}

func Last() int {
	panic("at the end")
}
-- internal/room/room_test.go --
package room

import (
	"fmt"
	"testing"
)

func TestKinds(t *testing.T) {
	fmt.Println(Kinds([]int{1, 2, 3}, false), Kinds([]int{0, 3}, true), True(), Three(), Level())
}
`

// All mutants are in one program, but for those that cannot be; each is alive when it is chosen, and
// only then.
func TestInOne(t *testing.T) {
	t.Chdir(lsptest.Workspace(t, kinds))
	folder := filepath.Join("internal", "room")
	p, err := inOne(t.Context(), folder, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	printed := func(id int) string {
		run := exec.CommandContext(t.Context(), p.path, "-test.run=TestKinds")
		run.Env = append(os.Environ(), choice+"="+strconv.Itoa(id))
		out, _ := run.CombinedOutput() // what panics says so
		line, _, _ := strings.Cut(string(out), "\n")
		return line
	}
	if got, want := printed(0), "[1 12 2] [12 2] true 3 4"; got != want {
		t.Errorf("without a mutant: %s, want %s", got, want)
	}
	all, err := mutantsOf(t.Context(), options{})
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, m := range all {
		if id := p.ids[m.place()]; id != 0 {
			got[m.what] = printed(id)
		} else {
			got[m.what] = "has to be alone"
		}
	}
	want := map[string]string{
		"declaration: n < 1 with <=": "[1 12 2 3] [12 2 3] true 3 4",
		"Kinds: if len(list) > 2 && // a comment between (ready || list[0] >= 1) is negated": "[12 2] [1 12 2] true 3 4",
		"Kinds: len(list) > 2 && // a comment between (ready || list[0] >= 1) with ||":       "[1 12 2] [1 12 2] true 3 4",
		"Kinds: len(list) > 2 with >=":             "[1 12 2] [1 12 2] true 3 4",
		"Kinds: ready || list[0] >= 1 with &&":     "[12 2] [12 2] true 3 4",
		"Kinds: list[0] >= 1 with >":               "[12 2] [12 2] true 3 4",
		"Kinds: without out = append(out, 1)":      "[12 2] [12 2] true 3 4",
		"Kinds: bound 1 is one more":               "[1 12 2] [2] true 3 4",
		"Kinds: if n <= 2 is negated":              "[1 11 2] [2] true 3 4",
		"Kinds: n <= 2 with <":                     "[1 11 12 2] [12 2] true 3 4",
		"Kinds: without continue":                  "[1 11 12 2] [12 2] true 3 4",
		"Kinds: without out = append(out, n+10-1)": "[1 2] [2] true 3 4",
		"Kinds: n+10-1 with +":                     "[1 14 2] [14 2] true 3 4",
		"Kinds: n+10 with -":                       "[1 -8 2] [-8 2] true 3 4",
		"Kinds: the error is ignored":              "[1 12] [12] true 3 4",
		"Kinds: without out = append(out, 2)":      "[1 12] [12] true 3 4",
		"Kinds: if least is negated":               "[1 12 2 3] [12 2 3] true 3 4",
		"Kinds: without out = append(out, 3)":      "[1 12 2] [12 2] true 3 4",
		"True: returns false":                      "[1 12 2] [12 2] false 3 4",
		"Three: returns 4":                         "[1 12 2] [12 2] true 4 4",
		"Level: returns 5":                         "has to be alone",
		"Panics: without panic(\"always\")":        "[1 12 2] [12 2] true 3 4",
		"Last: without panic(\"at the end\")":      "has to be alone",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
