// Package rawtest finds the language servers that the benchmark's tests drive.
package rawtest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/bench/raw"
)

// Need returns the server called id. Without it the test is skipped, or fails
// if LSPINE_REQUIRE_SERVERS (comma-separated ids) names it.
func Need(t testing.TB, id string) raw.Spec {
	t.Helper()
	specs := raw.Specs()
	i := slices.IndexFunc(specs, func(s raw.Spec) bool { return s.ID == id })
	if i < 0 {
		t.Fatalf("no server %s", id)
	}
	if _, err := specs[i].Find(); err != nil {
		if slices.Contains(strings.Split(os.Getenv("LSPINE_REQUIRE_SERVERS"), ","), id) {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return specs[i]
}
