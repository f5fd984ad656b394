package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// room is a room with a line that a test checks, one that a test only reaches, one
// that no test reaches, and one that a test reaches in a program of its own.
const room = `
-- go.mod --
module room

go 1.24
-- internal/room/room.go --
package room

func Checked(n int) bool { return n < 3 }

func Reached(n int) bool {
	return n < 4
}

func Alone(n int) bool {
	return n < 5
}

func Elsewhere(n int) bool {
	return n < 6
}
-- internal/room/room_test.go --
package room

import (
	"os"
	"os/exec"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv("ELSEWHERE") != "" {
		if Elsewhere(6) {
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestChecked(t *testing.T) {
	if !Checked(2) || Checked(3) {
		t.Error("wrong")
	}
	Reached(1)
}

func TestElsewhere(t *testing.T) {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "ELSEWHERE=1")
	if err := child.Run(); err != nil {
		t.Error(err)
	}
}

func BenchmarkNothing(b *testing.B) {}
`

// A mutant is tried with the tests that reach it, and with all others before it is said
// that nobody noticed it: a test may reach it in a program that it starts.
func TestTry(t *testing.T) {
	t.Chdir(lsptest.Workspace(t, room))
	all, err := mutantsOf(t.Context(), options{only: "with <="})
	if err != nil {
		t.Fatal(err)
	}
	var tries tester
	t.Cleanup(tries.close)
	got := make(map[string]outcome)
	for _, m := range all {
		if got[m.what], err = tries.try(t.Context(), m); err != nil {
			t.Fatal(m, err)
		}
	}
	want := map[string]outcome{
		"Checked: n < 3 with <=":   noticed,
		"Reached: n < 4 with <=":   survived,
		"Alone: n < 5 with <=":     unreached,
		"Elsewhere: n < 6 with <=": noticed,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var names [][]string
	for _, m := range all {
		first, others := order(tries.tests[filepath.Join("internal", "room")], m)
		names = append(names, namesOf(first), namesOf(others))
	}
	wantNames := [][]string{
		{"TestChecked"},
		{"TestElsewhere"},
		{"TestChecked"},
		{"TestElsewhere"},
		nil,
		{"TestChecked", "TestElsewhere"},
		nil,
		{"TestChecked", "TestElsewhere"},
	}
	if diff := cmp.Diff(wantNames, names); diff != "" {
		t.Error(diff)
	}
}

// namesOf returns the names of tests, sorted: which is quicker, the machine decides.
func namesOf(tests []roomTest) (names []string) {
	for _, t := range tests {
		names = append(names, t.name)
	}
	slices.Sort(names)
	return names
}
