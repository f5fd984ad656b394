package lsp_test

import (
	"errors"
	"testing"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// A report that was pulled is in our units wherever it names a place: in the file, in one that a
// diagnostic refers to, in one that the report is about as well. A place in what is no file stays as
// the server counts it.
func TestPulledReportInAnotherEncoding(t *testing.T) {
	const (
		// the last é of the second line of other.toy, as the server counts
		wireE    = `{"start":{"line":1,"character":14},"end":{"line":1,"character":16}}`
		untitled = "untitled:one"
	)
	p := fluent(t, map[string]string{"textDocument/diagnostic": `{"kind":"full","resultId":"r","items":[7,
		{"range":` + wireX + `,"severity":1,"message":"wrong","relatedInformation":[
			{"location":{"uri":"$other","range":` + wireE + `},"message":"there"},
			{"location":{"uri":"$main","range":` + wireX + `},"message":"here"},
			{"location":{"uri":"` + untitled + `","range":` + wireX + `},"message":"nowhere"}]}],
		"relatedDocuments":{
			"$other":{"kind":"full","items":[{"range":` + wireE + `,"severity":1,"message":"wrong too"}]},
			"` + untitled + `":{"kind":"full","items":[{"range":` + wireX + `,"severity":1,"message":"not saved"}]}}}`})
	main, other := protocol.URIFromPath(p.path("main.toy")), protocol.URIFromPath(p.path("other.toy"))
	rangeOfE, asSent := span(1, 7, 1, 8), span(0, 16, 0, 17)

	report, err := p.Pull(p.context(), p.path("main.toy"), "types", "before")
	if err != nil || len(report.Items) != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
	same(t, rangeOfX, report.Items[0].Range, nil)
	same(t, []protocol.Related{
		{Location: protocol.Location{URI: other, Range: rangeOfE}, Message: "there"},
		{Location: protocol.Location{URI: main, Range: rangeOfX}, Message: "here"},
		{Location: protocol.Location{URI: untitled, Range: asSent}, Message: "nowhere"},
	}, report.Items[0].Related, nil)
	related := make(map[protocol.DocumentURI]protocol.Range)
	for uri, r := range report.Related {
		for _, d := range r.Items {
			related[uri] = d.Range
		}
	}
	same(t, map[protocol.DocumentURI]protocol.Range{other: rangeOfE, untitled: asSent}, related, nil)
	p.asked("textDocument/diagnostic", `{"textDocument":{"uri":"$main"},"identifier":"types","previousResultId":"before"}`)
	if dropped := p.Info().Dropped; dropped != 1 {
		t.Errorf("%d bad elements were counted, want 1", dropped)
	}
	p.polite()
}

// A pull whose answer is no report, or that the server refuses, brings none, and says why.
func TestPullWithoutAReport(t *testing.T) {
	p := start(t, lsptest.Script{NoWatch: true, Capabilities: raw(everything), Rules: []lsptest.Rule{
		lsptest.OnNth("textDocument/diagnostic", 1, lsptest.Reply(`7`)), lsptest.OnNth("textDocument/diagnostic", 2, lsptest.ServerCancelled()),
	}})
	p.sync("main.toy", wide)
	report, err := p.Pull(p.context(), p.path("main.toy"), "", "")
	if err == nil {
		t.Error("a number is a report")
	}
	same(t, protocol.Report{}, report, nil)
	var refused *jsonrpc.ResponseError
	report, err = p.Pull(p.context(), p.path("main.toy"), "", "")
	if !errors.As(err, &refused) {
		t.Errorf("refused: %v", err)
	}
	same(t, protocol.Report{}, report, nil)
}
