package lsptest

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Fresh fails if a committed, generated file is not what was made just now. With
// update it is written.
func Fresh(t testing.TB, file, made string, update bool) {
	t.Helper()
	if update {
		WriteFile(t, file, made)
	}
	committed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(committed), made); diff != "" {
		t.Errorf("%s is old; run: make generate\n%s", file, diff)
	}
}
