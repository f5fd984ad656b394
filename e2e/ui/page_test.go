package ui

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

const shop = `
-- go.mod --
module example.com/shop

go 1.24
-- cart.go --
package shop

// Total adds prices.
func Total(prices []int) (sum int) {
	for _, p := range prices {
		sum += p
	}
	return sum
}
`

// An error that is made in a file of a checkout in which nothing ran yet, by whatever program, appears on the open page, and goes when
// it is mended. The page says which
// server said so and how long it took, has the evidence of it, and asks nobody but its own server for anything; the token is in no
// address that is asked for.
//
// Requirement: HTTP-16.
func TestThePageIsLive(t *testing.T) {
	lsptest.Require(t, "gopls")
	root := lsptest.Workspace(t, shop)
	lsptest.Git(t, root, "init", "-q")
	lsptest.Git(t, root, "add", ".")
	lsptest.Git(t, root, "commit", "-qm", "the shop")
	b := openTab(t)
	address := serveUI(t, root)
	b.visit(address)
	b.await(`document.getElementById("live").className === "live"`)
	if got := evaluate[string](b, `location.href`); strings.Contains(got, "token") {
		t.Errorf("the address keeps the token: %s", got)
	}
	b.await(`document.getElementById("none").innerText === "Nothing is known to be wrong; no server has judged a file completely yet."`)
	file := filepath.Join(root, "cart.go")
	lsptest.WriteFile(t, file, "package shop\n\n// Total adds prices.\nfunc Total(prices []int) (sum int) { return len(prize) }\n")
	b.await(`document.getElementById("list").innerText.includes("undefined: prize")`)
	b.await(`document.getElementById("said").textContent === "1 error in 1 file"`)
	b.await(`document.querySelector("[data-id=gopls] .state").textContent === "active" && document.querySelector("#charts svg")`)
	if got := b.text("#detail"); !strings.Contains(got, "undefined: prize") || !strings.Contains(got, "cart.go:4:49") {
		t.Errorf("the selected diagnostic: %s", got)
	}
	lsptest.WriteFile(t, file, "package shop\n\n// Total adds prices.\nfunc Total(prices []int) (sum int) { return len(prices) }\n")
	b.await(`document.getElementById("none").innerText === "Nothing is wrong in the files that were judged."`)
	b.await(`document.getElementById("verified").className === "whole"`)
	b.await(`document.getElementById("trail").innerText.includes("gopls started")`)
	origin, token, _ := strings.Cut(address, "/ui#token=")
	for _, asked := range b.requests() {
		if !strings.HasPrefix(asked, origin+"/ui") || strings.Contains(strings.TrimPrefix(asked, address), token) {
			t.Errorf("it asks for %s", asked)
		}
	}
	if said := b.complaints(); len(said) > 0 {
		t.Errorf("the browser says %q", said)
	}
}
