package checking

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// Java is judged by the files as they are, and not as an earlier process of jdtls knew them: a class is renamed, another made,
// and each is taken back on disk while jdtls ends. The next process finds nothing wrong.
func TestJavaAfterRestarts(t *testing.T) {
	s := enginetest.OpenReal(t, "-- shop/core/Money.java --\npackage shop.core;\n\npublic interface Money {\n    int RATE = 7;\n}\n"+
		"-- shop/app/Main.java --\npackage shop.app;\n\npublic class Main {\n    int x = shop.core.Money.RATE;\n}\n", "jdtls")
	before := map[string]string{}
	for _, file := range []string{"shop/core/Money.java", "shop/app/Main.java"} {
		before[file] = s.Read(file)
	}
	kept := s.Options.StateFolder
	// again is the next process, with the files as they were.
	again := func(made string) {
		t.Helper()
		if err := os.Remove(filepath.Join(s.Folder, filepath.FromSlash(made))); err != nil {
			t.Fatal(err)
		}
		for file, text := range before {
			s.Write(file, text)
		}
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		s = s.Reopen(func(o *enginetest.Options) { o.StateFolder = kept })
	}
	type answers struct{ Preview, Rename, Check, Edit string }
	var got []answers
	for range 2 {
		rename := api.RenameRequest{Selector: api.Selector{At: "shop/core/Money.java Money"}, NewName: "Cash", Writing: api.Writing{Mode: api.Preview}}
		preview := enginetest.Do(t, s, api.Rename, rename)
		rename.Mode = api.Apply
		renamed := enginetest.Do(t, s, api.Rename, rename)
		check := enginetest.Do(t, s, api.Check, api.CheckRequest{Files: []string{"shop"}})
		again("shop/core/Cash.java")
		three := "package shop.app;\n\npublic class Three {\n    int y = new Main().x;\n}\n"
		edited := enginetest.Do(t, s, api.EditFiles, api.EditRequest{
			Edits:   []api.FileEdit{{File: "shop/app/Three.java", Content: &three}, enginetest.Replacing("shop/app/Main.java", "RATE;", "RATE + 1;")},
			Writing: api.Writing{Mode: api.ApplyIfClean},
		})
		got = append(got, answers{preview.Verdict, renamed.Verdict, check.Verdict, edited.Verdict})
		again("shop/app/Three.java")
	}
	always := answers{"unknown", "clean", "clean", "clean"} // it judges a new file only once it is on disk
	if diff := cmp.Diff([]answers{always, always}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Where packages begin, in a project without a build, follows from all its files: one that lost the line that names
// its package is wrong, and no other file is, although jdtls is asked about that one first.
func TestJavaFileWithoutItsPackage(t *testing.T) {
	s := enginetest.OpenReal(t, "-- src/m/Base.java --\npackage m;\n\npublic class Base {\n    static int zero = 0;\n}\n"+
		"-- src/m/User.java --\npackage m;\n\npublic class User {\n    int u = Base.zero;\n}\n", "jdtls")
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	s.Write("src/m/User.java", "public class User {\n    int u = 1;\n}\n")
	r := s.Check(api.CheckRequest{Baseline: api.BaselineHead, TimeoutMS: 120_000, WaitLimitMS: 120_000})
	want := map[string]int{"src/m/User.java": 1}
	if diff := cmp.Diff(want, newErrors(r.Files, r.Others)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", r.Verdict, diff)
	}
}
