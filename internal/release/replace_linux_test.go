package release

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Where nothing can be written beside the program the error says so, and names the folder.
func TestReplaceWhereNothingCanBeWritten(t *testing.T) {
	const file = "/proc/version" // nobody makes files in that folder, root included
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	err = Replace(file, []byte("new"))
	var failed *os.PathError
	if !errors.As(err, &failed) || failed.Op != "open" || filepath.Dir(failed.Path) != "/proc" {
		t.Errorf("%v", err)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("%q, %v", after, err)
	}
}
