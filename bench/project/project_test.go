package project_test

import (
	"context"
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/bench/raw"
	"github.com/lspine/lspine/bench/rawtest"
)

// The servers count exactly the errors that each edit says it makes, starting
// from none.
func TestServersCountTheErrorsOfEachEdit(t *testing.T) {
	for _, scenario := range project.Scenarios() {
		for _, id := range scenario.Servers {
			t.Run(strings.ReplaceAll(scenario.Name, "/", "")+"/"+id, func(t *testing.T) {
				spec := rawtest.Need(t, id)
				p, err := scenario.Write(t.Context(), t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
				defer cancel()
				c, err := raw.Start(ctx, spec, p.Root)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { closed(t, c) })
				before, err := os.ReadFile(p.File)
				if err != nil {
					t.Fatal(err)
				}
				found, err := c.Open(ctx, p.File, string(before))
				expect(t, c, p, "as written", found, err, 0)
				for i := range 4 {
					edit := p.Edit(i, "test")
					if broken := i%2 == 0; broken != (edit.Errors > 0) {
						t.Fatalf("edit %d has %d errors", i, edit.Errors)
					}
					found, err = c.Change(ctx, p.File, edit.Text)
					expect(t, c, p, "after an edit", found, err, edit.Errors)
				}
			})
		}
	}
}

// The same call writes the same files, and no edit is like another.
func TestProjectsAreDeterministic(t *testing.T) {
	for _, scenario := range project.Scenarios() {
		if scenario.Servers[0] == "gopls" {
			continue // a copy
		}
		t.Run(scenario.Name, func(t *testing.T) {
			first, err := scenario.Write(t.Context(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			second, err := scenario.Write(t.Context(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if digest(t, first.Root) != digest(t, second.Root) {
				t.Error("two copies differ")
			}
			seen := map[string]bool{}
			for i := range 8 {
				for _, salt := range []string{"a", "b"} {
					edit := first.Edit(i, salt)
					if edit != second.Edit(i, salt) {
						t.Errorf("edit %d differs between copies", i)
					}
					if seen[edit.Text] {
						t.Errorf("edit %d of %s is like another", i, salt)
					}
					seen[edit.Text] = true
				}
			}
		})
	}
}

func expect(t *testing.T, c *raw.Client, p project.Project, when string, found raw.Diagnostics, err error, errors int) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	got := found.Errors()
	if p.Whole {
		got = c.Errors()
	}
	if got != errors {
		t.Fatalf("%s: %d errors, expected %d: %+v", when, got, errors, found)
	}
}

func digest(t *testing.T, root string) [sha256.Size]byte {
	t.Helper()
	all := sha256.New()
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() { // a library may be linked in
			return err
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		all.Write([]byte(name + "\x00" + string(text)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return [sha256.Size]byte(all.Sum(nil))
}

// closed ends the client. The test's own context is over when it is called.
func closed(t *testing.T, c *raw.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := c.Close(ctx); err != nil {
		t.Error(err)
	}
}
