package checking

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// A check of the whole workspace, for which tombi is asked once about all files, tells of each file what a check of that one by
// a new process tells: at first, and whatever was changed on disk, opened, edited and closed since.
func TestWholeWorkspaceIsTrue(t *testing.T) {
	files := []string{"a.toml", "b.toml", "sub/c.toml", "sub/d.toml"}
	texts := []string{"x = 1\n", "x = \n", "x = 1\nx = 2\n", "[t]\ny = \"é\"\nz = ]\n"}
	archive := "-- tombi.toml --\n"
	for i, name := range files {
		archive += "-- " + name + " --\n" + texts[i]
	}
	shop := enginetest.OpenReal(t, archive, "tombi")
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 6 {
		told := make(map[string]string)
		whole := shop.Check(api.CheckRequest{Files: []string{shop.Folder}, Baseline: api.BaselineNone})
		for _, f := range whole.Files {
			told[f.Path] = enginetest.Told(f)
		}
		want := map[string]string{"tombi.toml": told["tombi.toml"]}
		for _, name := range files {
			if !shop.Exists(name) {
				continue
			}
			alone := enginetest.OpenReal(t, "-- tombi.toml --\n-- "+name+" --\n"+shop.Read(name), "tombi")
			want[name] = enginetest.Told(alone.Check(api.CheckRequest{Files: []string{name}, Baseline: api.BaselineNone}).Files[0])
		}
		if diff := cmp.Diff(want, told); diff != "" || !strings.Contains(fmt.Sprint(told), "expected value") && round == 0 {
			t.Fatalf("round %d: %s%v", round, diff, told)
		}
		name, text := files[random.IntN(len(files))], texts[random.IntN(len(texts))]+fmt.Sprintf("# round %d\n", round)
		switch random.IntN(3) {
		case 0: // by somebody else
			shop.Write(name, text)
		case 1: // shown, and taken back
			shop.Check(api.CheckRequest{Files: []string{name}, Contents: map[string]string{name: text}, Baseline: api.BaselineNone})
			enginetest.Do(t, shop, api.Close, api.FileRequest{File: name})
		case 2:
			enginetest.Do(t, shop, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Writing(name, text)}})
		}
	}
}
