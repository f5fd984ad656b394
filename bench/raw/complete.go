package raw

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// byProgress: gopls ends one progress for each change, after it published for
// every file of the workspace that the change touched.
func byProgress(ctx context.Context, c *Client, file, kind string, send func() error) (Diagnostics, error) {
	title := "diagnosing " + kind + " files"
	c.mu.Lock()
	before := c.ended[title]
	c.mu.Unlock()
	if err := send(); err != nil {
		return nil, err
	}
	var items Diagnostics
	err := c.await(ctx, func() bool {
		items = c.published[file].items
		return c.ended[title] > before
	})
	return items, err
}

// byPull: the answer to a pull sent after the change is of that state.
func byPull(ctx context.Context, c *Client, file, _ string, send func() error) (Diagnostics, error) {
	if err := send(); err != nil {
		return nil, err
	}
	params := object{"textDocument": object{"uri": uriOf(file)}}
	for {
		var report struct {
			Items []wireDiagnostic `json:"items"`
		}
		err := c.conn.call(ctx, "textDocument/diagnostic", params, &report)
		if refused, ok := errors.AsType[*responseError](err); ok && isRetry(refused.Code) {
			continue
		}
		return fromWire(report.Items), err
	}
}

// isRetry says whether a server took a request back because its state moved.
func isRetry(code int) bool {
	const contentModified, serverCancelled = -32801, -32802
	return code == contentModified || code == serverCancelled
}

// byTSServer asks tsserver past the language server's debounce, for both kinds
// of diagnostics at once.
func byTSServer(ctx context.Context, c *Client, file, _ string, send func() error) (Diagnostics, error) {
	if err := send(); err != nil {
		return nil, err
	}
	var waiting []<-chan response
	for _, command := range []string{"syntacticDiagnosticsSync", "semanticDiagnosticsSync"} {
		one, err := c.conn.send("workspace/executeCommand", object{
			"command":   "typescript.tsserverRequest",
			"arguments": []any{command, object{"file": file}},
		})
		if err != nil {
			return nil, err
		}
		waiting = append(waiting, one)
	}
	severities := map[string]int{"error": 1, "warning": 2, "message": 3, "suggestion": 4}
	var items Diagnostics
	for _, one := range waiting {
		var answer struct {
			Success bool   `json:"success"`
			Message string `json:"message"`
			Body    []struct {
				Start struct {
					Line int `json:"line"`
				} `json:"start"`
				Text     string `json:"text"`
				Category string `json:"category"`
			} `json:"body"`
		}
		if err := c.conn.receive(ctx, one, &answer); err != nil {
			return nil, err
		}
		if !answer.Success {
			return nil, errors.New("tsserver: " + answer.Message)
		}
		for _, d := range answer.Body {
			items = append(items, Diagnostic{Line: d.Start.Line - 1, Severity: severities[d.Category], Message: d.Text})
		}
	}
	return items, nil
}

// byBarrier: clangd publishes for the version of a read that waits in its
// queue, and does so without its usual delay because something waits.
func byBarrier(ctx context.Context, c *Client, file, _ string, send func() error) (Diagnostics, error) {
	if err := send(); err != nil {
		return nil, err
	}
	barrier, err := c.conn.send("textDocument/documentSymbol", object{"textDocument": object{"uri": uriOf(file)}})
	if err != nil {
		return nil, err
	}
	version := c.documents[file].version
	var items Diagnostics
	err = c.await(ctx, func() bool {
		items = c.published[file].items
		return c.published[file].version >= version
	})
	if err != nil {
		return nil, err
	}
	return items, c.conn.receive(ctx, barrier, nil)
}

// byCargo asks rust-analyzer to let cargo check the whole project, which publishes
// before the progress of that ends, or in the same turn.
func byCargo(ctx context.Context, c *Client, file, _ string, send func() error) (Diagnostics, error) {
	if err := send(); err != nil {
		return nil, err
	}
	const title = "cargo check"
	c.mu.Lock()
	before := c.ended[title]
	c.mu.Unlock()
	if err := c.conn.notify("rust-analyzer/runFlycheck", object{"textDocument": nil}); err != nil {
		return nil, err
	}
	if err := c.await(ctx, func() bool { return c.ended[title] > before }); err != nil {
		return nil, err
	}
	return c.afterAnswer(ctx, file, "textDocument/documentSymbol", object{"textDocument": object{"uri": uriOf(file)}})
}

// byRefresh: jdtls publishes before it answers this command.
func byRefresh(ctx context.Context, c *Client, file, _ string, send func() error) (Diagnostics, error) {
	if err := send(); err != nil {
		return nil, err
	}
	return c.afterAnswer(ctx, file, "workspace/executeCommand", object{
		"command": "java.project.refreshDiagnostics", "arguments": []any{uriOf(file), "thisFile", false},
	})
}

// byBuild is byRefresh, and lets jdtls compile what is on disk as well.
func byBuild(ctx context.Context, c *Client, file, kind string, send func() error) (Diagnostics, error) {
	if _, err := byRefresh(ctx, c, file, kind, send); err != nil {
		return nil, err
	}
	if err := c.conn.call(ctx, "java/buildWorkspace", false, nil); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.published[file].items, nil
}

// afterAnswer sends a request and returns what is published for the file when it
// is answered.
func (c *Client) afterAnswer(ctx context.Context, file, method string, params object) (Diagnostics, error) {
	if err := c.conn.call(ctx, method, params, nil); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.published[file].items, nil
}

const (
	// quiet is how long nothing is published for a file before what was counts.
	quiet = 300 * time.Millisecond
	// patience is how long a first publish is waited for.
	patience = 5 * time.Second
)

// byQuiet: a publish for the file, and then none for a while. Nothing says that it
// is of the new text.
func byQuiet(ctx context.Context, c *Client, file, _ string, send func() error) (Diagnostics, error) {
	count := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.published[file].count
	}
	seen := count()
	if err := send(); err != nil {
		return nil, err
	}
	for wait := patience; ; wait = quiet {
		waiting, cancel := context.WithTimeout(ctx, wait)
		err := c.await(waiting, func() bool { return c.published[file].count > seen })
		cancel()
		switch {
		case err == nil:
			seen = count()
		case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
			c.mu.Lock()
			defer c.mu.Unlock()
			return c.published[file].items, nil
		default:
			return nil, err
		}
	}
}

// await waits until met, which is called with c.mu held.
func (c *Client) await(ctx context.Context, met func() bool) error {
	for {
		c.mu.Lock()
		ok, changed := met(), c.changed
		c.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-c.conn.done:
			return errEnded
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *Client) notified(method string, params json.RawMessage) {
	if c.spec.ready != nil && c.spec.ready(method, params) {
		c.mu.Lock()
		c.ready = true
		c.wakeLocked()
		c.mu.Unlock()
	}
	switch method {
	case "textDocument/publishDiagnostics":
		c.publish(params)
	case "$/progress":
		c.progress(params)
	}
}

func (c *Client) publish(params json.RawMessage) {
	var p struct {
		URI         string           `json:"uri"`
		Version     *int             `json:"version"`
		Diagnostics []wireDiagnostic `json:"diagnostics"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	publication := publication{version: -1, items: fromWire(p.Diagnostics)}
	if p.Version != nil {
		publication.version = *p.Version
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	publication.count = c.published[fileOf(p.URI)].count + 1
	c.published[fileOf(p.URI)] = publication
	c.wakeLocked()
}

func (c *Client) progress(params json.RawMessage) {
	var p struct {
		Token json.RawMessage `json:"token"`
		Value struct {
			Kind  string `json:"kind"`
			Title string `json:"title"`
		} `json:"value"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch token := string(p.Token); p.Value.Kind {
	case "begin":
		c.begun[token] = p.Value.Title
	case "end":
		c.ended[c.begun[token]]++
		delete(c.begun, token)
		c.wakeLocked()
	}
}

func (c *Client) wakeLocked() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// asked answers what servers are known to ask.
func (c *Client) asked(method string, params json.RawMessage) (any, bool) {
	switch method {
	case "workspace/configuration":
		var p struct {
			Items []struct {
				Section string `json:"section"`
			} `json:"items"`
		}
		_ = json.Unmarshal(params, &p) // no items: no answers
		values := make([]any, len(p.Items))
		for i, item := range p.Items {
			values[i] = c.spec.Settings.at(item.Section)
		}
		return values, true
	case "workspace/workspaceFolders":
		return []object{{"uri": uriOf(c.root), "name": c.root}}, true
	case "workspace/applyEdit":
		return object{"applied": false}, true
	case "window/showDocument":
		return object{"success": false}, true
	case "client/registerCapability", "client/unregisterCapability", "window/workDoneProgress/create",
		"window/showMessageRequest", "workspace/diagnostic/refresh", "workspace/semanticTokens/refresh",
		"workspace/inlayHint/refresh", "workspace/codeLens/refresh", "workspace/foldingRange/refresh":
		return nil, true
	}
	return nil, false
}

type wireDiagnostic struct {
	Range struct {
		Start struct {
			Line int `json:"line"`
		} `json:"start"`
	} `json:"range"`
	Severity int    `json:"severity"`
	Message  string `json:"message"`
}

func fromWire(items []wireDiagnostic) Diagnostics {
	diagnostics := make(Diagnostics, len(items))
	for i, item := range items {
		diagnostics[i] = Diagnostic{Line: item.Range.Start.Line, Severity: item.Severity, Message: item.Message}
		if item.Severity == 0 { // left to the client by the protocol
			diagnostics[i].Severity = 1
		}
	}
	return diagnostics
}
