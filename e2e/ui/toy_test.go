package ui

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
)

const toys = `
-- toy.root --
-- a.toy --
ERROR the first
fine
WARN the second
-- b.toy --
ERROR the third
`

// openToys serves the page of a toy project whose files are all changed since the last commit, and opens it.
func openToys(t *testing.T, script lsptest.Script, archive string) (b *tab, root string) {
	t.Helper()
	b = openTab(t)
	root = lsptest.Workspace(t, archive)
	lsptest.Git(t, root, "init", "-q")
	flag, file := configured(t, script)
	b.visit(serveUI(t, root, flag, file))
	return b, root
}

// focused describes the element with the focus.
const focused = `(() => { const e = document.activeElement; return e.id || (e === document.body ? "" : e.innerText); })()`

// Everything on the page is reached by Tab, and what has the focus is seen to have it. "/" goes to the filter, the arrow keys go
// through the list and fold files, and the whole of what is selected is shown.
//
// Requirement: HTTP-16.
func TestByKeyboardAlone(t *testing.T) {
	b, _ := openToys(t, lsptest.Script{}, toys)
	b.await(`document.querySelectorAll("[role=option]").length === 5 && document.querySelector("#charts summary") && document.getElementById("verified").className === "whole"`)
	evaluate[bool](b, `document.getElementById("notes").hidden = true`) // whether there are any depends on what was written by then
	var order []string
	for range 40 {
		b.press("Tab")
		at := evaluate[string](b, focused)
		if at == "" || slices.Contains(order, at) {
			break
		}
		order = append(order, at)
		if style := evaluate[string](b, `getComputedStyle(document.activeElement).outlineStyle + " " + getComputedStyle(document.activeElement).outlineWidth`); style != "solid 2px" {
			t.Errorf("the focus on %s is not seen: %s", at, style)
		}
	}
	want := []string{"2 errors", "1 warning", "0 notes", "0 hints", "filter", "list", "The last answers of toy as a table", "queries", "verify", "trail-box"}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Error(diff)
	}
	selected := `document.querySelector("[aria-selected=true]").innerText.replaceAll("\n", " ")`
	b.press("/", "t", "h", "i", "r")
	b.await(`document.querySelectorAll("[role=option]").length === 2`)
	if got := evaluate[string](b, focused+` + " " + document.activeElement.value`); got != "filter thir" {
		t.Errorf("after /: %s", got)
	}
	b.press("Escape", "Escape")
	if got := evaluate[string](b, focused); got != "list" {
		t.Errorf("after Escape: %s", got)
	}
	var went []string
	for _, key := range []string{"Home", "ArrowDown", "ArrowDown", "End", "ArrowUp", "Enter", "ArrowRight", "ArrowLeft", "ArrowUp"} {
		b.press(key)
		went = append(went, key+": "+evaluate[string](b, selected))
	}
	if diff := cmp.Diff([]string{
		"Home: ▾ a.toy 1 error, 1 warning", "ArrowDown: error 1:1 the first", "ArrowDown: warning 3:1 the second", "End: error 1:1 the third", "ArrowUp: ▾ b.toy 1 error",
		"Enter: ▸ b.toy 1 error", "ArrowRight: ▾ b.toy 1 error", "ArrowLeft: ▸ b.toy 1 error", "ArrowUp: warning 3:1 the second",
	}, went); diff != "" {
		t.Error(diff)
	}
	if got := b.text("#detail"); !strings.HasPrefix(got, "the second\n") || !strings.Contains(got, "a.toy:3:1") {
		t.Errorf("the whole: %s", got)
	}
	if got := evaluate[string](b, `document.getElementById(document.getElementById("list").getAttribute("aria-activedescendant")).innerText.replaceAll("\n", " ")`); got != "warning 3:1 the second" {
		t.Errorf("a screen reader is told of %s", got)
	}
}

// contrasts lists the texts that are seen with less contrast to what is behind them than WCAG wants, and how many were looked at.
const contrasts = `(() => {
	const channels = (text) => text.match(/[\d.]+/g).map(Number);
	const light = ([r, g, b]) => [r, g, b].map((c) => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
	const behind = (e) => { for (; e; e = e.parentElement) { const c = channels(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
	const low = [];
	let seen = 0;
	for (const e of document.querySelectorAll("body *")) {
		const texts = [...e.childNodes].filter((n) => n.nodeType === 3 && n.data.trim());
		if (!texts.length || !e.checkVisibility() || e.closest(".unseen, script")) continue;
		seen++;
		const style = getComputedStyle(e), a = light(channels(e instanceof SVGElement ? style.fill : style.color)), b = light(behind(e));
		const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		if (ratio < 4.5) low.push(texts[0].data.trim() + " " + ratio.toFixed(2));
	}
	return [String(seen), ...low];
})()`

// In light and in dark, all texts have enough contrast, and on a narrow and on a wide screen nothing is beyond the edge.
//
// Requirement: HTTP-16.
func TestLightAndDarkNarrowAndWide(t *testing.T) {
	b, _ := openToys(t, lsptest.Script{}, toys)
	b.await(`document.querySelectorAll("[role=option]").length === 5 && document.querySelector("#charts summary") && document.getElementById("trail").rows.length > 2`)
	grounds := make(map[string]bool)
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		for _, width := range []int{360, 1600} {
			b.size(width, 900)
			got := evaluate[[]string](b, contrasts)
			if len(got) > 1 || len(got[0]) < 2 {
				t.Errorf("%s, %d px: of %s texts have too little contrast: %q", scheme, width, got[0], got[1:])
			}
			if beyond := evaluate[int](b, `document.documentElement.scrollWidth - innerWidth`); beyond > 0 {
				t.Errorf("%s, %d px: %d px are beyond the edge", scheme, width, beyond)
			}
		}
		grounds[evaluate[string](b, `getComputedStyle(document.documentElement).backgroundColor`)] = true
	}
	if len(grounds) != 2 {
		t.Errorf("light and dark look the same: %v", grounds)
	}
	// Where one has the columns beside each other, the other has them below each other.
	beside := `document.getElementById("servers").getBoundingClientRect().left > document.getElementById("diagnostics").getBoundingClientRect().right`
	wide := evaluate[bool](b, beside)
	b.size(360, 900)
	if narrow := evaluate[bool](b, beside); !wide || narrow {
		t.Errorf("beside each other on a wide screen: %t, on a narrow one: %t", wide, narrow)
	}
}

// What strangers can name or write is shown as text: a file's name and a message with HTML make no element, and what is not seen is
// spelt out.
//
// Requirement: HTTP-16.
func TestTextsOfStrangersStayTexts(t *testing.T) {
	b, _ := openToys(t, lsptest.Script{}, "-- toy.root --\n-- <img src=x>.toy --\nERROR <script>alert(1)</script><b>bold</b> \u202e\n")
	b.await(`document.querySelectorAll("[role=option]").length === 2`)
	if got := b.text("#list"); !strings.Contains(got, "<img src=x>.toy") || !strings.Contains(got, `<script>alert(1)</script><b>bold</b> \u202e`) {
		t.Errorf("the list: %s", got)
	}
	if n := evaluate[int](b, `document.querySelectorAll("img, main script, main #list b").length`); n > 0 {
		t.Errorf("%d elements were made of texts", n)
	}
	if said := b.complaints(); len(said) > 0 {
		t.Errorf("the browser says %q", said)
	}
}

// Ten thousand diagnostics are counted and can all be reached, while only those that are seen are in the document.
//
// Requirement: HTTP-16.
func TestTenThousandDiagnostics(t *testing.T) {
	var archive strings.Builder
	archive.WriteString("-- toy.root --\n")
	for file := range 100 {
		fmt.Fprintf(&archive, "-- f%02d.toy --\n", file)
		for line := range 100 {
			fmt.Fprintf(&archive, "ERROR number %d of %d\n", line, file)
		}
	}
	b, root := openToys(t, lsptest.Script{}, archive.String())
	b.await(`document.querySelector(".severity.error b").innerText === "10000"`)
	few := func(when string) {
		t.Helper()
		if n := evaluate[int](b, `document.querySelectorAll("[role=option]").length`); n == 0 || n > 60 {
			t.Errorf("%s, %d rows are in the document", when, n)
		}
	}
	few("at first")
	b.press("/", "Escape", "End")
	b.await(`document.querySelector("[aria-selected=true]").ariaPosInSet === "10100"`)
	if got := b.text("[aria-selected=true] .message"); got != "number 99 of 99" {
		t.Errorf("the last is %q", got)
	}
	few("at the end")
	b.press("/")
	took := evaluate[float64](b, `(() => {
		const filter = document.getElementById("filter"), begun = performance.now();
		for (const text of ["n", "nu", "number 7", "number 77 of 3", "number 77 of 33"]) { filter.value = text; filter.dispatchEvent(new Event("input")); }
		return performance.now() - begun;
	})()`)
	t.Logf("five letters in the filter took %.0f ms", took)
	b.await(`document.querySelectorAll("[role=option]").length === 2`)
	lsptest.WriteFile(t, filepath.Join(root, "f00.toy"), "fine\n")
	b.await(`document.querySelector(".severity.error b").innerText === "9900"`)
	few("after a change")
}

// A server that crashes is seen to have crashed, and why, and what it was not asked again for is not called clean.
//
// Requirement: HTTP-16.
func TestCrashesAreShown(t *testing.T) {
	b, root := openToys(t, lsptest.Script{Rules: []lsptest.Rule{{On: "textDocument/didChange", Holding: "boom", Do: []lsptest.Action{lsptest.Stderr("out of memory"), lsptest.Crash(3)}}}}, toys)
	b.await(`document.querySelector("[data-id=toy] .state")?.innerText === "active" && document.querySelectorAll("[role=option]").length === 5`)
	lsptest.WriteFile(t, filepath.Join(root, "a.toy"), "ERROR boom\n")
	b.await(`document.querySelector("[data-id=toy]").innerText.includes("crash")`)
	b.await(`document.getElementById("said").innerText.includes("toy crashed") || document.getElementById("trail").innerText.includes("toy crashed")`)
}

// The page itself is for everybody, but shows nothing without a token: it asks for one, says that a wrong one is wrong, and opens
// with the right one. What is shown then of an agent at work goes when it leaves.
//
// Requirement: HTTP-16.
func TestTokensAndSessionsOverHTTP(t *testing.T) {
	t.Run("alone", func(t *testing.T) { tokensAndSessions(t, nil) })
	t.Run("with a daemon", func(t *testing.T) {
		lsptest.NeedSockets(t)
		tokensAndSessions(t, withDaemon)
	})
}

func tokensAndSessions(t *testing.T, daemon func(t *testing.T, home, root string) []string) {
	b := openTab(t)
	home := shortHome(t)
	root := lsptest.Workspace(t, toys)
	const token = "0123456789abcdef0123456789abcdef"
	flag, file := configured(t, lsptest.Script{})
	environ := []string{"LSPINE_TOKEN=" + token}
	if daemon != nil {
		environ = append(environ, daemon(t, home, root)...)
	}
	address := strings.TrimSuffix(serve(t, home, "lspine: serving MCP at ", environ, "mcp", "--http", "--port", "0", "--root", root, "--workspace", "shop="+root, flag, file), "/mcp")
	address = strings.TrimPrefix(address, "lspine: serving MCP at ")
	b.visit(address + "/w/shop/ui")
	b.await(`!document.getElementById("key").hidden && document.activeElement.id === "token"`)
	if got := b.text("#live"); got != "not let in" {
		t.Errorf("without a token: %s", got)
	}
	open := func(with string) {
		b.do("Input.insertText", map[string]any{"text": with}, nil)
		b.press("Enter")
	}
	open("a wrong one")
	b.await(`document.getElementById("key-note").innerText.includes("The server says: unauthorized") && document.getElementById("token").value === ""`)
	b.await(`!document.getElementById("key").hidden && document.activeElement.id === "token"`)
	open(token)
	b.await(`document.getElementById("live").className === "live" && document.getElementById("key").hidden`)

	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: address + "/mcp", HTTPClient: &http.Client{Transport: bearer(token)}}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	use(t, session, "check", `{"files":["a.toy"]}`)
	use(t, session, "simulate", `{"action":"create","label":"an idea"}`)
	b.await(`document.getElementById("session-list").innerText.includes("2 calls") && document.querySelector(".simulation")?.innerText.includes("an idea")`)
	b.await(`document.querySelectorAll("[role=option]").length > 0`)
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	b.await(`document.querySelector(".session.ended") && !document.querySelector(".simulation")`)
	for _, asked := range b.requests() {
		if strings.Contains(asked, token) || !strings.HasPrefix(asked, address+"/w/shop/ui") {
			t.Errorf("it asks for %s", asked)
		}
	}
}

// bearer adds a token to requests.
type bearer string

func (token bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(token))
	return http.DefaultTransport.RoundTrip(r)
}
