package ui

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/tools/txtar"

	"github.com/lspine/lspine/internal/cli"
	"github.com/lspine/lspine/internal/lsptest"
)

var update = flag.Bool("update", false, "write the picture of the page again")

// shortHome returns a folder for the home of a person with a daemon: the name of a socket is limited.
func shortHome(t *testing.T) string {
	t.Helper()
	home, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	return home
}

// withDaemon returns the environment of a person with a daemon, which ends with the test.
func withDaemon(t *testing.T, home, root string) (environ []string) {
	t.Helper()
	environ = []string{"LSPINE_DAEMON=auto"}
	t.Cleanup(func() {
		var said strings.Builder
		streams := &cli.Streams{In: strings.NewReader(""), Out: &said, Err: &said, Dir: root, Environ: environment(home, environ...)}
		if code := cli.Run(context.Background(), []string{"daemon", "stop", "--root", root}, streams); code != 0 {
			t.Errorf("the daemon does not end: %s", said.String())
		}
	})
	return environ
}

// connect starts `lspine mcp` for an agent. leave ends both.
func connect(t *testing.T, home string, environ []string, root, agent string) (session *mcp.ClientSession, leave func()) {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ctx, interrupt := context.WithCancel(context.WithoutCancel(t.Context()))
	code := make(chan int, 1)
	go func() { // received in leave
		code <- cli.Run(ctx, []string{"mcp", "--root", root}, &cli.Streams{In: in, Out: out, Err: io.Discard, Dir: root, Environ: environment(home, environ...)})
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: agent, Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	if err != nil {
		t.Fatal(err)
	}
	leave = sync.OnceFunc(func() {
		_ = session.Close() // which ends the server, too
		interrupt()
		<-code
	})
	t.Cleanup(leave)
	return session, leave
}

// use calls a tool, which must succeed.
func use(t *testing.T, session *mcp.ClientSession, tool, arguments string) {
	t.Helper()
	answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil || answer.IsError {
		t.Fatalf("%s: %+v, %v", tool, answer, err)
	}
}

// storefront is a project in Go and TypeScript in which somebody changes how prices are added.
const storefront = `
-- go.mod --
module example.com/storefront

go 1.24
-- internal/cart/cart.go --
// Package cart holds what a customer is about to buy.
package cart

// A Line is one article and how many of it.
type Line struct {
	Article string
	Count   int
	Cents   int64
}

// A Cart holds lines.
type Cart struct{ Lines []Line }

// Total returns the price of the whole cart.
func (c *Cart) Total() (cents int64) {
	for _, l := range c.Lines {
		cents += int64(l.Count) * l.Cents
	}
	return cents
}
-- internal/checkout/checkout.go --
// Package checkout takes orders.
package checkout

import (
	"errors"
	"fmt"

	"example.com/storefront/internal/cart"
)

// Shipping is what sending an order costs, in cents.
const Shipping = 490

// Place places an order, and returns what it costs.
func Place(c *cart.Cart, customer string) (int64, error) {
	if len(c.Lines) == 0 {
		return 0, errors.New("the cart is empty")
	}
	total := c.Total() + Shipping
	fmt.Printf("%s pays %d\n", customer, total)
	return total, nil
}
-- internal/checkout/receipt.go --
package checkout

import (
	"fmt"

	"example.com/storefront/internal/cart"
)

// Receipt writes a receipt.
func Receipt(c *cart.Cart) string {
	return fmt.Sprintf("%d articles, %d cents", len(c.Lines), c.Total())
}
-- web/tsconfig.json --
{"compilerOptions": {"strict": true, "noUnusedLocals": true, "target": "es2022", "module": "es2022"}}
-- web/src/basket.ts --
export interface Line {
  article: string;
  count: number;
  cents: number;
}

export function total(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + line.count * line.cents, 0);
}
-- web/src/summary.ts --
import { total, type Line } from "./basket";

export function summary(lines: Line[]): string {
  return lines.length + " articles, " + total(lines) / 100;
}
`

// What agents do with a daemon is seen on a page beside them: who they are, what they have tried in memory, what the servers say of
// the files that they change, and the evidence of all of it. A session that ends is marked, and what it held is gone. The picture of
// the page in the README is one of this story, of -update.
//
// Requirement: HTTP-16.
func TestAgentsAtWork(t *testing.T) {
	lsptest.Require(t, "gopls")
	lsptest.Require(t, "typescript-language-server")
	lsptest.NeedSockets(t)
	b := openTab(t)
	home := shortHome(t)
	root := filepath.Join(home, "storefront")
	for _, f := range txtar.Parse([]byte(storefront)).Files {
		lsptest.WriteFile(t, filepath.Join(root, f.Name), string(f.Data))
	}
	lsptest.Git(t, root, "init", "-q")
	lsptest.Git(t, root, "add", ".")
	lsptest.Git(t, root, "commit", "-qm", "the storefront")
	environ := withDaemon(t, home, root)
	ada, adaLeaves := connect(t, home, environ, root, "claude-code")
	bob, bobLeaves := connect(t, home, environ, root, "codex")
	use(t, ada, "inspect", `{"at":"internal/cart/cart.go Cart.Total"}`)
	use(t, ada, "references", `{"at":"internal/cart/cart.go Cart.Total"}`)
	use(t, ada, "check", `{"files":["internal/checkout/checkout.go","internal/checkout/receipt.go"]}`)
	use(t, bob, "check", `{"files":["web/src/summary.ts","web/src/basket.ts"]}`)
	use(t, bob, "simulate", `{"action":"create","label":"count articles, not lines"}`)

	b.size(1280, 965)
	b.visit(serve(t, home, "http://", environ, "ui", "--root", root))
	b.await(`document.querySelectorAll(".session").length === 2`)
	if got := b.text("#session-list"); !strings.Contains(got, "mcp/codex") || !strings.Contains(got, "mcp/claude-code") || !strings.Contains(got, "(count articles, not lines)") {
		t.Errorf("the sessions: %s", got)
	}
	use(t, bob, "edit", `{"edits":[{"file":"web/src/summary.ts","old_text":"lines.length + \" articles, \" + total(lines) / 100","new_text":"articles(lines) + \" articles, \" + total(lines) / 100"}]}`)
	use(t, ada, "edit", `{"edits":[{"file":"internal/cart/cart.go","old_text":"func (c *Cart) Total() (cents int64) {","new_text":"func (c *Cart) Total(currency string) (cents int64) {"}]}`)
	b.await(`document.getElementById("said").textContent === "3 errors in 3 files"`)
	for file, message := range map[string]string{
		"internal/checkout/checkout.go": "not enough arguments in call to c.Total", "internal/checkout/receipt.go": "not enough arguments in call to c.Total",
		"web/src/summary.ts": "Cannot find name 'articles'",
	} {
		if got := b.text("#list"); !strings.Contains(got, file) || !strings.Contains(got, message) {
			t.Errorf("no %s of %s: %s", message, file, got)
		}
	}
	b.await(`[...document.querySelectorAll("#trail tr")].some((r) => r.innerText.includes("edit applied") && r.innerText.includes("mcp/claude-code"))`)
	b.await(`document.querySelectorAll("#charts svg").length === 2 && document.getElementById("verified").className === "whole"`)
	if *update {
		picture := small(t, b.picture())
		if len(picture) > 200_000 {
			t.Errorf("the picture has %d bytes", len(picture))
		}
		lsptest.WriteFile(t, filepath.Join("..", "..", "docs", "images", "ui.png"), string(picture))
	}
	bobLeaves()
	b.await(`document.querySelector(".session.ended")?.innerText.includes("mcp/codex") && !document.querySelector(".simulation")`)
	adaLeaves()
	b.await(`document.querySelectorAll(".session.ended").length === 2`)
	if said := b.complaints(); len(said) > 0 {
		t.Errorf("the browser says %q", said)
	}
}

// small returns a picture with at most 256 colours: its most frequent ones, without those that look like a more frequent one.
func small(t *testing.T, picture []byte) []byte {
	t.Helper()
	full, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	counts := make(map[color.Color]int)
	for y := range full.Bounds().Dy() {
		for x := range full.Bounds().Dx() {
			counts[full.At(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(counts), func(a, b color.Color) int { return cmp.Compare(counts[b], counts[a]) })
	var palette color.Palette
	for _, c := range colours {
		if len(palette) < 256 && (len(palette) == 0 || apart(c, palette.Convert(c)) > 18) {
			palette = append(palette, c)
		}
	}
	few := image.NewPaletted(full.Bounds(), palette)
	draw.Draw(few, few.Bounds(), full, image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, few); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// apart returns by how much two colours differ, as the sum of the differences of their channels.
func apart(a, b color.Color) (by int) {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	for _, d := range []int{int(ar>>8) - int(br>>8), int(ag>>8) - int(bg>>8), int(ab>>8) - int(bb>>8)} {
		by += max(d, -d)
	}
	return by
}
