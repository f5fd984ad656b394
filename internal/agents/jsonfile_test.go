package agents

import (
	"testing"

	"github.com/tailscale/hujson"
)

// What is removed from an object leaves the rest as people wrote it, comments too; an object that
// had nothing else is empty, unless a comment is left in it.
func TestRemovedMembers(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"ours\": 1\n}":                        "{}",
		"{\n  \"ours\": 1,\n}":                       "{}",
		"{\n  \"ours\": 1,\n  // theirs\n}":          "{\n  // theirs\n}",
		"{\n  \"a\": 1,\n  \"ours\": 1\n}":           "{\n  \"a\": 1\n}",
		"{\n  \"ours\": 1,\n  \"a\": 1\n}":           "{\n  \"a\": 1\n}",
		"{\n  // why\n  \"ours\": 1,\n  \"a\": 1\n}": "{\n  // why\n  \"a\": 1\n}",
		"{}":                                          "{}",
		"{\"a\": 1 /* why */, \"ours\": 1}":           "{\"a\": 1 /* why */}",
		"{\"a\": 1 // why\n, \"ours\": 1}":            "{\"a\": 1 // why\n}",
		"{\"a\": 1 // why\n, \"ours\": 1\n}":          "{\"a\": 1 // why\n}",
		"{\"a\": 1 /* why */, \"ours\": 1 /* too */}": "{\"a\": 1 /* why */ /* too */}",
		"{ // why\n\"ours\": 1}":                      "{ // why\n}",
		"{ // why\n\"ours\": 1, \"a\": 1}":            "{ // why\n \"a\": 1}",
		"{\"a\": 1 , \"ours\": 1}":                    "{\"a\": 1}",
		"{\"a\": 1 , \"ours\": 1,}":                   "{\"a\": 1 ,}",
		"{\n  \"a\": 1\n}":                            "{\n  \"a\": 1\n}",
	} {
		value, err := hujson.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		dropMember(value.Value.(*hujson.Object), "ours")
		if got := value.String(); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
