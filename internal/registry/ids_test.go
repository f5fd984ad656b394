package registry

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The list of ids has those of the table, and no others. With -update it is written.
func TestIsBuiltin(t *testing.T) {
	ids := Builtin().IDs()
	if diff := cmp.Diff(ids, builtinIDs[:]); diff != "" && *update {
		writeIDs(t, ids)
	} else if diff != "" {
		t.Errorf("builtinIDs is old; run: make generate\n-want +got:\n%s", diff)
	}
	for id, want := range map[string]bool{builtinIDs[0]: true, "gopls": true, builtinIDs[len(builtinIDs)-1]: true, "go": false, "": false} {
		if IsBuiltin(id) != want {
			t.Errorf("IsBuiltin(%q) = %t", id, !want)
		}
	}
}

// writeIDs writes the list in ids.go anew.
func writeIDs(t *testing.T, ids []string) {
	t.Helper()
	const file, begin = "ids.go", "var builtinIDs = [...]string{"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(text), begin)
	if !found {
		t.Fatalf("%s has no %q", file, begin)
	}
	list, line := "", ""
	for _, id := range ids {
		if len(line) > 100 {
			list, line = list+"\n\t"+strings.TrimSpace(line), ""
		}
		line += fmt.Sprintf("%q, ", id)
	}
	list += "\n\t" + strings.TrimSpace(line) + "\n}\n"
	if err := os.WriteFile(file, []byte(before+begin+list), 0o644); err != nil {
		t.Fatal(err)
	}
}
