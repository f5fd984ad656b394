package store_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/refcache/store"
)

func index(source string) store.Index {
	return store.Index{Source: source, Tool: "toy 1", Commit: "c0ffee", Imported: time.Unix(1_700_000_000, 0), Documents: 1}
}

// An index is found as it was added, until it is removed, or one from the same source, or eight others, take its place; what others import
// of the database has none.
func TestIndexes(t *testing.T) {
	ctx := context.Background()
	s, said := open(t)
	if got, err := s.Indexes(ctx); got != nil || err != nil {
		t.Errorf("before the first: %v, %v", got, err)
	}
	if removed, err := s.RemoveIndex(ctx, 1); removed || err != nil {
		t.Errorf("there is none: %t, %v", removed, err)
	}
	files := []store.IndexedFile{{Path: "a.go", Hash: hash(1), Document: []byte("what a.go has")}, {Path: "go.mod", Hash: hash(2)}}
	for _, source := range []string{"one", "two", "one"} {
		if err := s.AddIndex(ctx, index(source), files, []string{"odd", "odd"}); err != nil {
			t.Fatal(err)
		}
	}
	one, two := index("one"), index("two")
	one.Number, two.Number = 3, 2
	if got, err := s.Indexes(ctx); err != nil || !cmp.Equal(got, []store.Index{one, two}) {
		t.Errorf("%v, %+v", err, got)
	}
	if got, err := s.Hashes(ctx, 3); err != nil || !cmp.Equal(got, map[string]string{"a.go": hash(1), "go.mod": hash(2)}) {
		t.Errorf("%v, %v", err, got)
	}
	for _, f := range append(files, store.IndexedFile{Path: "none.go"}) {
		if got, err := s.Indexed(ctx, 3, f.Path); err != nil || !cmp.Equal(got, f) {
			t.Errorf("%s: %v, %+v", f.Path, err, got)
		}
	}
	for symbol, want := range map[string]bool{"odd": true, "even": false} {
		if got, err := s.IsOdd(ctx, 3, symbol); err != nil || got != want {
			t.Errorf("%s: %v, %t", symbol, err, got)
		}
	}
	if err := s.Keep(ctx, []store.Row{answer("a", 1)}, nil, nil); err != nil {
		t.Fatal(err)
	}
	artefact := filepath.Join(t.TempDir(), "refs.db.gz")
	if n, err := s.Export(ctx, artefact); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	others := store.New(filepath.Join(t.TempDir(), "refs.db"), func(string) {})
	t.Cleanup(func() { _ = others.Close() })
	if read, _, err := others.Import(ctx, artefact, func(*store.Row) bool { return true }); read != 1 || err != nil {
		t.Errorf("%d, %v", read, err)
	}
	if got, err := others.Indexes(ctx); len(got) > 0 || err != nil {
		t.Errorf("others have %v, %v", got, err)
	}
	if removed, err := s.RemoveIndex(ctx, 3); !removed || err != nil {
		t.Errorf("%t, %v", removed, err)
	}
	if got, err := s.Indexed(ctx, 3, "a.go"); got.Document != nil || err != nil {
		t.Errorf("it was removed: %+v, %v", got, err)
	}
	for i := range 10 {
		if err := s.AddIndex(ctx, index(fmt.Sprint("more ", i)), files, nil); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.Indexes(ctx); len(got) != 8 || err != nil {
		t.Errorf("%d are kept, %v", len(got), err)
	}
	if said.Len() > 0 {
		t.Error(said)
	}
}
