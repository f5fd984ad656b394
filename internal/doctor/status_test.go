package doctor_test

import (
	"runtime"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// The status says what a server is doing, in the server's words.
func TestStatusTellsWork(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{Start: []lsptest.Action{
		lsptest.Notify("$/progress", `{"token":1,"value":{"kind":"begin","title":"Loading","message":"packages","percentage":40}}`),
		lsptest.Notify("$/progress", `{"token":2,"value":{"kind":"begin","title":"Indexing"}}`),
	}}, lsptest.Project)
	s.Check(api.CheckRequest{Files: []string{"main.toy"}})
	result, err := api.Status.Do(t.Context(), s.Engine, api.StatusRequest{})
	if err != nil {
		t.Fatal(err)
	}
	works := result.Servers[0].Works
	if len(works) != 2 || works[0] != "Loading packages 40%" || works[1] != "Indexing" {
		t.Errorf("works %q", works)
	}
}

// Status lists every known server, before and after it runs.
func TestStatus(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	status := func() result.Server {
		t.Helper()
		result, err := api.Status.Do(t.Context(), s.Engine, api.StatusRequest{})
		if err != nil || len(result.Servers) != 1 || result.Root != s.Folder {
			t.Fatalf("%+v, %v", result, err)
		}
		return result.Servers[0]
	}
	if v := status(); v.State == "active" || v.Pid != 0 {
		t.Errorf("before: %+v", v)
	}
	s.Expect("main.toy clean")
	if v := status(); v.State != "active" || v.Pid == 0 || v.Documents != 1 || v.Version != "1.2.3" || v.Strategy != "versioned" {
		t.Errorf("after: %+v", v)
	}
}

// What was measured of a server is told to who asks for it, and to nobody else: its memory, and how each answer came.
func TestMeasurements(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	s.Expect("main.toy clean")
	look := func(req api.StatusRequest) result.Server {
		t.Helper()
		answer, err := api.Status.Do(t.Context(), s.Engine, req)
		if err != nil || len(answer.Servers) != 1 {
			t.Fatalf("%+v, %v", answer, err)
		}
		return answer.Servers[0]
	}
	if v := look(api.StatusRequest{}); v.Memory != 0 || v.Figures.Recent != nil {
		t.Errorf("without: %+v", v)
	}
	v := look(api.StatusRequest{Measurements: true})
	if runtime.GOOS == "linux" && v.Memory == 0 {
		t.Error("the memory is not known")
	}
	if len(v.Figures.Recent) != v.Figures.Checks || v.Figures.Recent[0].Freshness != "fresh" || v.Figures.Recent[0].Time.IsZero() {
		t.Errorf("%d checks: %+v", v.Figures.Checks, v.Figures.Recent)
	}
}
