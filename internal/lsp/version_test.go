package lsp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A version is shown as it is if it is short; else its number is, and of a Go program the version of
// the main module.
func TestShortVersions(t *testing.T) {
	forty := strings.Repeat("v", 40)
	build, err := json.Marshal(map[string]any{"GoVersion": "go1.24", "Main": map[string]string{"Version": "v0.18.1"}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"": "", "one\ntwo 3.4": "3.4", "1.2.3": "1.2.3", "nightly": "nightly", forty: forty, forty + "v": "", string(build): "v0.18.1", "{1.2}": "{1.2}",
		"toy 1.2.3-rc1 for all\n systems": "1.2.3-rc1", forty + " version 4.5 of June": "4.5", `{` + forty + ` 6.7.8 }`: "6.7.8",
	}
	got := make(map[string]string)
	for version := range want {
		got[version] = shortVersion(version)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
