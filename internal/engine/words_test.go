package engine_test

import (
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/render"
)

// What a server says is wrong with the project is part of every answer of it, as text and
// as a value, until it takes that back.
func TestWordsOfTheServerAreInEveryAnswer(t *testing.T) {
	const begin = `{"token":"t","value":{"kind":"begin","title":"Loading"}}`
	const end = `{"token":"t","value":{"kind":"end"}}`
	s := enginetest.OpenToy(t, lsptest.Script{Rules: []lsptest.Rule{
		lsptest.On("initialized", lsptest.Notify("window/showMessage", `{"type":1,"message":"half of the project is missing"}`)),
		lsptest.OnNth("textDocument/hover", 1, lsptest.Notify("$/progress", begin), lsptest.Notify("$/progress", end)),
	}}, lsptest.Project)
	const said = "toy says: half of the project is missing"
	says := func(what, text string, words []string) {
		t.Helper()
		if !strings.Contains(text, said) || !strings.Contains(strings.Join(words, "\n"), "half of the project is missing") {
			t.Errorf("%s does not say so: %q\n%s", what, words, text)
		}
	}
	check := s.Check(api.CheckRequest{Files: []string{"main.toy"}})
	says("check", render.Brief(&check), check.Files[0].Servers[0].Says)
	places := enginetest.Do(t, s, api.References, api.ReferencesRequest{Selector: api.Selector{At: "lib.toy:1:5"}})
	says("references", render.Brief(&places), places.Notes)
	one, two := "use helper", "use helper\n"
	edited := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "main.toy", OldText: &one, NewText: &two}}})
	says("edit", render.Brief(&edited), edited.Notes)
	doctor := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{Files: []string{"main.toy"}})
	if !strings.Contains(render.Brief(&doctor), "half of the project is missing") {
		t.Errorf("doctor does not say so:\n%s", render.Brief(&doctor))
	}
	running := s.Workspace().Running()[0]
	_, _ = running.Hover(t.Context(), s.Folder+"/main.toy", protocol.Position{})
	if check = s.Check(api.CheckRequest{Files: []string{"main.toy"}}); strings.Contains(render.Brief(&check), said) {
		t.Errorf("it took that back:\n%s", render.Brief(&check))
	}
}
