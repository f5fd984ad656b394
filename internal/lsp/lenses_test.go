package lsp_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// The places of lenses come in our units, and stay when a lens is resolved, for which the server gets
// back what it sent; what is no lens is counted.
func TestLensesInAnotherEncoding(t *testing.T) {
	const (
		open     = `{"range":` + wireX + `,"data":7}`
		resolved = `{"range":` + wireX + `,"command":{"title":"Run","command":"toy.one"}}`
	)
	p := fluent(t, map[string]string{"textDocument/codeLens": `[` + open + `,{},` + resolved + `]`, "codeLens/resolve": resolved})
	ctx := p.context()
	run := &protocol.Command{Title: "Run", Command: "toy.one"}
	lenses, err := p.CodeLenses(ctx, p.path("main.toy"))
	same(t, []protocol.CodeLens{{Range: rangeOfX, Raw: raw(open)}, {Range: rangeOfX, Command: run, Raw: raw(resolved)}}, lenses, err)
	p.asked("textDocument/codeLens", `{"textDocument":{"uri":"$main"}}`)

	lens, err := p.ResolveCodeLens(ctx, lenses[0])
	same(t, protocol.CodeLens{Range: rangeOfX, Command: run, Raw: raw(resolved)}, lens, err)
	p.asked("codeLens/resolve", open)
	if dropped := p.Info().Dropped; dropped != 1 {
		t.Errorf("%d bad elements were counted, want 1", dropped)
	}
	p.polite()
}

// A lens that the server does not resolve stays as it was, and the reason is told.
func TestLensThatIsNotResolved(t *testing.T) {
	lens := protocol.CodeLens{Range: rangeOfX, Raw: raw(`{"range":` + wireX + `}`)}

	nonsense := fluent(t, map[string]string{"codeLens/resolve": `{"command":{"title":"Run","command":"toy.one"}}`, "textDocument/codeLens": `7`})
	got, err := nonsense.ResolveCodeLens(nonsense.context(), lens)
	if err == nil || !strings.Contains(err.Error(), "toy answered with no lens") {
		t.Errorf("nonsense: %v", err)
	}
	same(t, lens, got, nil)
	if dropped := nonsense.Info().Dropped; dropped != 1 {
		t.Errorf("%d bad answers were counted, want 1", dropped)
	}
	if lenses, err := nonsense.CodeLenses(nonsense.context(), nonsense.path("main.toy")); err == nil {
		t.Errorf("a number became %+v", lenses)
	}

	refusing := start(t, lsptest.Script{NoWatch: true, Capabilities: raw(everything), Rules: []lsptest.Rule{
		lsptest.On("codeLens/resolve", lsptest.ContentModified()), lsptest.On("textDocument/codeLens", lsptest.ContentModified()),
	}})
	refusing.sync("main.toy", wide)
	var refused *jsonrpc.ResponseError
	got, err = refusing.ResolveCodeLens(refusing.context(), lens)
	if !errors.As(err, &refused) {
		t.Errorf("refused: %v", err)
	}
	same(t, lens, got, nil)
	if _, err := refusing.CodeLenses(refusing.context(), refusing.path("main.toy")); !errors.As(err, &refused) {
		t.Errorf("refused: %v", err)
	}
}
