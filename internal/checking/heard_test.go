package checking_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// A server publishes errors for 50,000 files that nobody asked about. Not all are kept, so it is not known what is wrong in the
// whole project, and the answer says so, in the structure and in the text; what was asked about is judged as ever.
func TestAServerThatPublishesForTooManyFiles(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{Rules: []lsptest.Rule{
		lsptest.OnNth("textDocument/didOpen", 1, lsptest.PublishMany(50_000)),
	}}, lsptest.Project)
	const why = "what is wrong in all other files: toy published errors for more files than are kept (20000)"
	type said struct {
		Verdict, Own string
		Unknown      []string
		Errors       int
	}
	ask := func(scope string) (said, result.Check) {
		t.Helper()
		c := s.Check(api.CheckRequest{Files: []string{"main.toy"}, Scope: scope, TimeoutMS: 120_000})
		return said{c.Verdict, c.Files[0].Verdict, c.Unknown, len(c.Files[0].Diagnostics)}, c
	}
	whole, answer := ask("workspace")
	only, _ := ask("file")
	s.Write("main.toy", "use helper\nuse nothing\n")
	broken, _ := ask("workspace")
	s.Write("main.toy", "use helper\n")
	mended, _ := ask("workspace")
	want := []said{
		{"unknown", "clean", []string{why}, 0},
		{"clean", "clean", nil, 0},
		{"new_errors", "new_errors", []string{why}, 1},
		{"unknown", "clean", []string{why}, 0},
	}
	if diff := cmp.Diff(want, []said{whole, only, broken, mended}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text := render.Brief(&answer); !strings.Contains(text, why) || strings.Contains(text, "clean") {
		t.Errorf("the text:\n%s", text)
	}
	known, err := api.Diagnostics.Do(t.Context(), s.Engine, api.DiagnosticsRequest{})
	if err != nil || known.Verdict == "clean" || !cmp.Equal(known.Unknown, []string{why}) || len(known.Files) > 20_000 {
		t.Errorf("what is known: %s, %q of %d files, %v", known.Verdict, known.Unknown, len(known.Files), err)
	}
}

// Twenty mebibytes of errors about one file are read only in part: the answer about it has errors, and says that there are others.
// Another file is judged as ever.
func TestAServerThatPublishesTooMuch(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{Rules: []lsptest.Rule{
		lsptest.OnNth("textDocument/didOpen", 1, lsptest.LongPublish(20)).With("lib.toy"),
	}}, lsptest.Project)
	type said struct{ Freshness, Verdict, Reason string }
	for _, c := range []struct {
		file string
		want said
	}{
		{"lib.toy", said{"partial", "new_errors", "it found more than is kept of one file (689 others)"}},
		{"main.toy", said{"fresh", "clean", ""}},
	} {
		file := s.Check(api.CheckRequest{Files: []string{c.file}, Scope: "file", TimeoutMS: 120_000}).Files[0]
		if diff := cmp.Diff(c.want, said{file.Servers[0].Freshness, file.Verdict, file.Servers[0].Reason}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.file, diff)
		}
	}
}
