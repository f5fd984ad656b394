package toolchain

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"golang.org/x/net/html"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/result"
)

// rustName matches a Rust path, such as std::vec::Vec, or one of our name paths.
var rustName = lazyregexp.New(`^[\pL_][\pL\pN_]*((::|\.)[\pL_][\pL\pN_]*)*$`)

// cargoDoc looks a name up in pages that cargo doc writes, into a folder of ours, for the package
// that dir belongs to. For that, cargo compiles what rust-analyzer compiles anyway, offline and
// without changing a lock file.
func (tc *Toolchain) cargoDoc(ctx context.Context, name, dir string) (result.Documentation, error) {
	if !rustName.MatchString(name) {
		return result.Documentation{}, &api.ArgumentError{Argument: "symbol", Reason: fmt.Sprintf("%q is no name of rust", name), Advice: `for example "store::Store::get"`}
	}
	manifest := tc.cargoManifest(dir)
	if manifest == "" {
		return result.Documentation{}, &roots.ToolError{Tool: "cargo doc", Reason: "no Cargo.toml around " + tc.names.Relative(dir)}
	}
	if err := tc.mayBuild(ctx, "cargo doc"); err != nil {
		return result.Documentation{}, err
	}
	pages, err := tc.workspace.StatePath("cargo-doc")
	if err != nil {
		return result.Documentation{}, err
	}
	if end, bounded := ctx.Deadline(); bounded { // leave time for the server
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)/2)
		defer cancel()
	}
	tool := roots.Tool{Name: "cargo", Args: []string{"doc", "--frozen", "--quiet", "--no-deps", "--manifest-path", manifest, "--target-dir", pages}, Dir: filepath.Dir(manifest), Executes: true}
	if _, err := tc.workspace.RunTool(ctx, tool); err != nil {
		return result.Documentation{}, err
	}
	answer := result.Documentation{Symbol: name, Language: string(language.Rust), Source: "cargo doc"}
	answer.Signature, answer.Text = rustPage(filepath.Join(pages, "doc"), strings.Split(strings.ReplaceAll(name, "::", "."), "."))
	if answer.Text == "" {
		return result.Documentation{}, &roots.ToolError{Tool: "cargo doc", Reason: "it knows no " + name, Ran: true}
	}
	return answer, nil
}

// cargoManifest returns the nearest Cargo.toml in or above a folder of the workspace, "" if there
// is none.
func (tc *Toolchain) cargoManifest(dir string) string {
	for ; tc.workspace.Contains(dir); dir = filepath.Dir(dir) {
		file := filepath.Join(dir, language.CargoTOML)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}

// rustPage returns the declaration and the description of an item, or of a member of one, from the
// pages of rustdoc; "" if there is none.
func rustPage(folder string, path []string) (signature, text string) {
	n := len(path)
	if page := pageOf(folder, path[:n-1], path[n-1]); page != nil {
		return itemOn(page)
	}
	if n > 1 {
		if page := pageOf(folder, path[:n-2], path[n-2]); page != nil {
			return memberOn(page, path[n-1])
		}
	}
	return "", ""
}

// pageOf returns the page of an item, nil if there is none. holders are the names before the item's
// own in its path.
func pageOf(folder string, holders []string, item string) *html.Node {
	var found string
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error { // unreadable folders have no page
		if err != nil || entry.IsDir() || found != "" {
			return nil
		}
		kind, rest, _ := strings.Cut(entry.Name(), ".")
		in := strings.Split(filepath.ToSlash(filepath.Dir(path)), "/")
		own := rest == item+".html" && kind != ""
		if entry.Name() == "index.html" { // a module's page
			own, in = in[len(in)-1] == item, in[:len(in)-1]
		}
		if own && len(in) >= len(holders) && slices.Equal(in[len(in)-len(holders):], holders) {
			found = path
		}
		return nil
	})
	if found == "" {
		return nil
	}
	file, err := fspath.Open(found)
	if err != nil {
		return nil
	}
	defer file.Close()
	page, err := html.Parse(file)
	if err != nil {
		return nil
	}
	return page
}

func itemOn(page *html.Node) (signature, text string) {
	signature = textIn(first(page, func(n *html.Node) bool { return n.Data == "pre" && hasClass(n, "item-decl") }))
	doc := first(page, func(n *html.Node) bool { return n.Data == "details" && hasClass(n, "top-doc") })
	words := textIn(first(doc, func(n *html.Node) bool { return hasClass(n, "docblock") }))
	return signature, strings.TrimSpace(signature + "\n\n" + words)
}

// memberOn returns the declaration and the description of a method, field or variant on the page of
// its item.
func memberOn(page *html.Node, name string) (signature, text string) {
	var at *html.Node
	for _, kind := range []string{"method", "tymethod", "structfield", "variant", "associatedconstant", "associatedtype"} {
		if at = first(page, func(n *html.Node) bool { return attribute(n, "id") == kind+"."+name }); at != nil {
			break
		}
	}
	if at == nil {
		return "", ""
	}
	signature = textIn(at)
	for n := at; n != nil && n.Data != "body"; n = n.Parent {
		for next := n.NextSibling; next != nil && next.Data != "details" && next.Data != "section" && next.Data != "span"; next = next.NextSibling {
			if hasClass(next, "docblock") {
				return signature, signature + "\n\n" + textIn(next)
			}
		}
		if n.Data == "details" {
			break
		}
	}
	return signature, signature
}

func first(n *html.Node, is func(*html.Node) bool) *html.Node {
	if n == nil {
		return nil
	}
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && is(d) {
			return d
		}
	}
	return nil
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attribute(n, "class")), class)
}

// htmlBlocks are the elements that begin on a line of their own.
var htmlBlocks = map[string]bool{"p": true, "pre": true, "h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "ul": true, "ol": true, "li": true, "div": true, "table": true, "tr": true, "br": true}

var manyBlankLines = lazyregexp.New(`\n{3,}`)

// textIn returns the text of a part of a page, without the links in its headings.
func textIn(n *html.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
			return
		case n.Data == "button" || n.Data == "summary" && hasClass(n, "hideme") || hasClass(n, "anchor") || hasClass(n, "doc-anchor") || hasClass(n, "src"):
			return
		case htmlBlocks[n.Data]:
			b.WriteByte('\n')
		}
		if n.Data == "li" {
			b.WriteString("- ")
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		if htmlBlocks[n.Data] {
			b.WriteByte('\n')
		}
	}
	walk(n)
	return strings.TrimSpace(manyBlankLines.ReplaceAllString(strings.ReplaceAll(b.String(), "\u00a0", " "), "\n\n"))
}
