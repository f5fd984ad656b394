package ui

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsptest"
)

// A tab is a page in a headless Chromium, which is told what to do by the DevTools protocol over a pipe.
type tab struct {
	t       *testing.T
	session string
	to      *os.File

	mu      sync.Mutex
	last    int
	waiting map[int]chan message
	// asked are the addresses that the page asked for, said what it wrote to the console, and what the browser says of it.
	asked, said []string
}

// A message is one of the DevTools protocol.
type message struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// patience is how long the browser may take for a thing before the test fails, with what there is instead.
const patience = 90 * time.Second

// openTab starts a browser with an empty page. It ends with the test.
func openTab(t *testing.T) *tab {
	t.Helper()
	program := lsptest.Program(t, "chromium-headless-shell", "make browser")
	in, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--force-color-profile=srgb", "--lang=en-GB", "--user-data-dir="+t.TempDir())
	cmd.ExtraFiles = []*os.File{in, out} // 3 and 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = in.Close(), out.Close()
	b := &tab{t: t, to: to, waiting: make(map[int]chan message)}
	read := make(chan struct{})
	go func() { // joined below
		defer close(read)
		b.read(from)
	}()
	t.Cleanup(func() {
		_ = b.call("", "Browser.close", map[string]any{}, nil)
		_ = to.Close()
		_ = cmd.Wait() // it was told to end
		<-read
		_ = from.Close()
	})
	var target struct{ TargetID string }
	var attached struct{ SessionID string }
	b.do("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	b.do("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		b.do(domain+".enable", map[string]any{}, nil)
	}
	b.size(1280, 900)
	return b
}

// read hands out what comes from the browser, until it ends.
func (b *tab) read(from *os.File) {
	reader := bufio.NewReaderSize(from, 1<<20)
	for {
		text, err := reader.ReadBytes(0)
		if err != nil {
			b.mu.Lock()
			defer b.mu.Unlock()
			for _, c := range b.waiting {
				close(c)
			}
			b.waiting = nil
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if c := b.waiting[m.ID]; m.ID != 0 && c != nil {
			c <- m
			delete(b.waiting, m.ID)
		}
		b.noteLocked(&m)
		b.mu.Unlock()
	}
}

func (b *tab) noteLocked(m *message) {
	var of struct {
		Request          struct{ URL string }
		Entry            struct{ Text, URL string }
		ExceptionDetails json.RawMessage
	}
	_ = json.Unmarshal(m.Params, &of)
	switch m.Method {
	case "Network.requestWillBeSent":
		b.asked = append(b.asked, of.Request.URL)
	case "Log.entryAdded":
		b.said = append(b.said, of.Entry.Text+" "+of.Entry.URL)
	case "Runtime.exceptionThrown":
		b.said = append(b.said, string(of.ExceptionDetails))
	}
}

// call sends a command to a session, "" is the browser, and waits for its answer.
func (b *tab) call(session, method string, params map[string]any, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	answer := make(chan message, 1)
	b.mu.Lock()
	if b.waiting == nil {
		b.mu.Unlock()
		return errors.New("the browser has ended")
	}
	b.last++
	text, err := json.Marshal(message{ID: b.last, SessionID: session, Method: method, Params: raw})
	b.waiting[b.last] = answer
	if err == nil {
		_, err = b.to.Write(append(text, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case m, ok := <-answer:
		switch {
		case !ok:
			return fmt.Errorf("%s: the browser has ended", method)
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		case result != nil:
			return json.Unmarshal(m.Result, result)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

func (b *tab) do(method string, params map[string]any, result any) {
	b.t.Helper()
	if err := b.call(b.session, method, params, result); err != nil {
		b.t.Fatal(err)
	}
}

// size sets the size of the page, in its own pixels.
func (b *tab) size(width, height int) {
	b.t.Helper()
	b.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// scheme makes the person prefer "light" or "dark".
func (b *tab) scheme(name string) {
	b.t.Helper()
	b.do("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": name}}}, nil)
}

// visit opens an address, and waits until it is loaded.
func (b *tab) visit(url string) {
	b.t.Helper()
	b.do("Page.navigate", map[string]any{"url": url}, nil)
	b.await(`document.readyState === "complete" && document.querySelector("main")`)
}

// evaluate returns the value of an expression, or of what it promises, in the page.
func evaluate[T any](b *tab, expression string) (value T) {
	b.t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Exception struct{ Description string }
			Text      string
		}
	}
	b.do("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &answer)
	if x := answer.ExceptionDetails; x != nil {
		b.t.Fatalf("%s: %s %s", expression, x.Text, x.Exception.Description)
	}
	if len(answer.Result.Value) > 0 {
		if err := json.Unmarshal(answer.Result.Value, &value); err != nil {
			b.t.Fatalf("%s: %v", expression, err)
		}
	}
	return value
}

// await waits until an expression is true: it is looked at whenever the page has changed.
func (b *tab) await(expression string) {
	b.t.Helper()
	held := evaluate[bool](b, fmt.Sprintf(`new Promise((done) => {
		const end = (held) => { seen.disconnect(); clearTimeout(late); done(held); };
		const look = () => { try { if (%s) end(true); } catch { } };
		const seen = new MutationObserver(look), late = setTimeout(() => end(false), %d);
		seen.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
		addEventListener("load", look);
		look();
	})`, expression, patience.Milliseconds()*2/3))
	if !held {
		b.t.Fatalf("never: %s\nthe page has:\n%s\nthe browser says:\n%s", expression, b.text("body"), strings.Join(b.complaints(), "\n"))
	}
}

// press presses keys, one after the other: names such as Tab or ArrowDown, or texts of one letter.
func (b *tab) press(keys ...string) {
	b.t.Helper()
	codes := map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "End": 35, "Home": 36, "PageDown": 34}
	for _, key := range keys {
		down := map[string]any{"type": "keyDown", "key": key, "windowsVirtualKeyCode": codes[key]}
		if len(key) == 1 {
			down["text"] = key
		}
		if key == "Enter" {
			down["text"] = "\r"
		}
		b.do("Input.dispatchKeyEvent", down, nil)
		b.do("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "windowsVirtualKeyCode": codes[key]}, nil)
	}
}

// picture returns the page as PNG.
func (b *tab) picture() []byte {
	b.t.Helper()
	var answer struct{ Data string }
	b.do("Page.captureScreenshot", map[string]any{"format": "png"}, &answer)
	image, err := base64.StdEncoding.DecodeString(answer.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	return image
}

// text returns the text of an element, as it is seen.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return evaluate[string](b, fmt.Sprintf(`document.querySelector(%q).innerText`, selector))
}

// complaints returns what the browser, or the page, complained about.
func (b *tab) complaints() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string{}, b.said...)
}

// requests returns the addresses that the page asked for.
func (b *tab) requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string{}, b.asked...)
}
