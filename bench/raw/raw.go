// Package raw is a language client with nothing in it that a benchmark could
// do without: one server, whole documents, and for each server the fastest
// way we know to have its complete diagnostics. LSPine is measured against it.
//
// It shares no code with LSPine on purpose: the two must reach the same
// diagnostics by different roads.
package raw

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Diagnostic is what a server says about a place. Line is 0-based.
type Diagnostic struct {
	Line     int
	Severity int // 1 error, 2 warning, 3 information, 4 hint
	Message  string
}

// Diagnostics are all of one file, in the server's order.
type Diagnostics []Diagnostic

// Errors counts those of severity error.
func (d Diagnostics) Errors() int {
	n := 0
	for _, one := range d {
		if one.Severity == 1 {
			n++
		}
	}
	return n
}

// A Client drives one running server. Its methods are for one goroutine; after
// an error the client can only be closed.
type Client struct {
	spec        Spec
	root        string
	conn        *conn
	cmd         *exec.Cmd
	stderr      tail
	incremental bool
	documents   map[string]*document // by file

	mu        sync.Mutex
	published map[string]publication // by file
	begun     map[string]string      // progress token to title
	ended     map[string]int         // progress title to how many ended
	ready     bool                   // what is said counts
	changed   chan struct{}          // closed, and replaced, when one of these changes
}

type document struct {
	version int
	text    string
}

type publication struct {
	count   int // publishes so far
	version int // -1 if the server gave none
	items   Diagnostics
}

// Start runs the server of spec for the project in rootDir and shakes hands;
// ctx bounds that, not the life of the server. The caller must Close.
func Start(ctx context.Context, spec Spec, rootDir string) (*Client, error) {
	binary, err := spec.Find()
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(rootDir)
	if err != nil {
		return nil, err
	}
	args := slices.Clone(spec.Args)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], dataFolder, root+".data")
	}
	c := &Client{
		spec:      spec,
		root:      root,
		cmd:       exec.Command(binary, args...),
		documents: map[string]*document{},
		published: map[string]publication{},
		begun:     map[string]string{},
		ended:     map[string]int{},
		changed:   make(chan struct{}),
	}
	c.cmd.Dir = root
	c.cmd.Stderr = &c.stderr
	// A grandchild may hold stderr open; it must not hold us.
	c.cmd.WaitDelay = 2 * time.Second
	ownGroup(c.cmd)
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", spec.ID, err)
	}
	c.conn = newConn(stdin, stdout, c, c.cmd.Wait)
	if err := c.initialize(ctx); err != nil {
		err = c.explain("initialize", err)
		c.kill()
		return nil, err
	}
	return c, nil
}

func (c *Client) initialize(ctx context.Context) error {
	rootURI := uriOf(c.root)
	textDocument := object{
		"synchronization":    object{},
		"publishDiagnostics": object{"versionSupport": true, "relatedInformation": true},
		"documentSymbol":     object{"hierarchicalDocumentSymbolSupport": true},
		"hover":              object{"contentFormat": []string{"markdown", "plaintext"}},
	}
	if c.spec.AnnouncePull {
		textDocument["diagnostic"] = object{"dynamicRegistration": true}
	}
	params := object{
		"processId":        os.Getpid(),
		"clientInfo":       object{"name": "lspine-bench"},
		"rootUri":          rootURI,
		"workspaceFolders": []object{{"uri": rootURI, "name": filepath.Base(c.root)}},
		"capabilities": object{
			"workspace":    object{"configuration": true, "workspaceFolders": true},
			"textDocument": textDocument,
			"window":       object{"workDoneProgress": c.spec.AnnounceProgress},
		},
	}
	if c.spec.Experimental != nil {
		params["capabilities"].(object)["experimental"] = c.spec.Experimental
	}
	if c.spec.InitializationOptions != nil {
		params["initializationOptions"] = c.spec.InitializationOptions
	}
	var result struct {
		Capabilities struct {
			TextDocumentSync json.RawMessage `json:"textDocumentSync"`
		} `json:"capabilities"`
	}
	if err := c.conn.call(ctx, "initialize", params, &result); err != nil {
		return err
	}
	c.incremental = isIncremental(result.Capabilities.TextDocumentSync)
	if err := c.conn.notify("initialized", object{}); err != nil || c.spec.ready == nil {
		return err
	}
	return c.await(ctx, func() bool { return c.ready })
}

// isIncremental reads both shapes of textDocumentSync.
func isIncremental(sync json.RawMessage) bool {
	var kind int
	if json.Unmarshal(sync, &kind) == nil {
		return kind == 2
	}
	var options struct {
		Change int `json:"change"`
	}
	return json.Unmarshal(sync, &options) == nil && options.Change == 2
}

// Open opens file (absolute, or relative to the root) with text and returns its
// diagnostics when they are complete.
func (c *Client) Open(ctx context.Context, file, text string) (Diagnostics, error) {
	file = c.absolute(file)
	if c.documents[file] != nil {
		return nil, fmt.Errorf("%s is open already", file)
	}
	items, err := c.spec.complete(ctx, c, file, "opened", func() error {
		return errors.Join(c.show(file, text), c.save(file, text))
	})
	return items, c.explain("opening "+file, err)
}

func (c *Client) show(file, text string) error {
	c.documents[file] = &document{version: 1, text: text}
	return c.conn.notify("textDocument/didOpen", object{"textDocument": object{
		"uri": uriOf(file), "languageId": c.spec.LanguageID, "version": 1, "text": text,
	}})
}

// Change gives an open file a new text and returns its diagnostics when they
// are complete.
func (c *Client) Change(ctx context.Context, file, text string) (Diagnostics, error) {
	file = c.absolute(file)
	doc := c.documents[file]
	if doc == nil {
		return nil, fmt.Errorf("%s is not open", file)
	}
	change := object{"text": text}
	if c.incremental {
		change = lineEdit(doc.text, text)
	}
	doc.version++
	doc.text = text
	items, err := c.spec.complete(ctx, c, file, "changed", func() error {
		return errors.Join(c.conn.notify("textDocument/didChange", object{
			"textDocument":   object{"uri": uriOf(file), "version": doc.version},
			"contentChanges": []object{change},
		}), c.save(file, text))
	})
	return items, c.explain("changing "+file, err)
}

// save writes an open file, if the server wants that.
func (c *Client) save(file, text string) error {
	if !c.spec.Saves {
		return nil
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return err
	}
	return c.conn.notify("textDocument/didSave", object{"textDocument": object{"uri": uriOf(file)}})
}

// Check returns the diagnostics of a file that need not be open, for servers that
// are asked about each.
func (c *Client) Check(ctx context.Context, file string) (Diagnostics, error) {
	items, err := c.spec.complete(ctx, c, file, "changed", func() error { return nil })
	return items, c.explain("asking about "+file, err)
}

// Errors counts the errors that the server has published for all files; only
// for servers whose end of diagnosis covers the whole workspace (gopls).
func (c *Client) Errors() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, publication := range c.published {
		n += publication.items.Errors()
	}
	return n
}

// Close ends the server in the order that all of them understand and waits for
// it; when ctx ends first, the server and its children are killed.
func (c *Client) Close(ctx context.Context) error {
	defer c.kill()
	if err := c.conn.call(ctx, "shutdown", nil, nil); err != nil {
		return c.explain("shutdown", err)
	}
	// Without a params member: TypeScript 7 does not end on "params":null.
	if err := c.conn.notify("exit", nil); err != nil {
		return c.explain("exit", err)
	}
	c.conn.closeInput()
	select {
	case <-c.conn.done:
		return nil
	case <-ctx.Done():
		return c.explain("waiting for the end", ctx.Err())
	}
}

func (c *Client) kill() {
	select {
	case <-c.conn.done:
	default:
		killGroup(c.cmd)
		<-c.conn.done
	}
	c.conn.answers.Wait()
}

func (c *Client) absolute(file string) string {
	if filepath.IsAbs(file) {
		return filepath.Clean(file)
	}
	return filepath.Join(c.root, file)
}

// explain says which server failed at what, and what it last wrote to stderr.
func (c *Client) explain(doing string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, errEnded) {
		return fmt.Errorf("%s: %s: %w; its last words: %s", c.spec.ID, doing, err, c.stderr.String())
	}
	return fmt.Errorf("%s: %s: %w", c.spec.ID, doing, err)
}

func uriOf(file string) string {
	slashed := filepath.ToSlash(file)
	if slashed[0] != '/' { // C:/…
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

// fileOf is the file of a URI as a server writes it: clangd escapes characters
// that we leave alone, so URIs are not compared.
func fileOf(uri string) string {
	parsed, err := url.Parse(uri)
	if err != nil {
		return uri
	}
	file := parsed.Path
	if len(file) > 2 && file[2] == ':' { // /C:/…
		file = file[1:]
	}
	return filepath.FromSlash(file)
}
