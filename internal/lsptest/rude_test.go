package lsptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const folding = "textDocument/foldingRange"

// A server dies at the message the rule names, in the way it names, and not
// before; the answer gets out only when the rule says so.
func TestDeaths(t *testing.T) {
	for name, c := range map[string]struct {
		script Script
		code   int
		stderr string
	}{
		"crash at the second":   {Script{Rules: []Rule{OnNth(folding, 2, Stderr("out of luck"), Crash(7))}}, 7, "out of luck\n"},
		"kill -9 at the second": {Script{Rules: []Rule{OnNth(folding, 2, Kill())}}, KilledCode, ""},
		"crash after an answer": {Script{Rules: []Rule{OnNth(folding, 1, Answer(), Crash(3))}}, 3, ""},
		"crash at a text":       {Script{Rules: []Rule{On(folding, Crash(9)).With("second")}}, 9, ""},
		"a flood first":         {Script{Rules: []Rule{OnNth(folding, 2, StderrFlood(2), Crash(4))}}, 4, "stderr stderr"},
	} {
		t.Run(name, func(t *testing.T) {
			c.script.NoWatch = true // else there is a response to write after the death
			s := open(t, c.script)
			if s.call(folding, "{}").Result == nil {
				t.Fatal("the first request has no result")
			}
			if c.code != 3 {
				s.request(folding, `{"which": "second"}`)
			}
			_, err := io.Copy(io.Discard, s.stdout) // the server ends by itself
			if code := s.wait(); code != c.code || err != nil {
				t.Errorf("code %d, want %d; %v", code, c.code, err)
			}
			if !strings.HasPrefix(s.stderr.String(), c.stderr) {
				t.Errorf("stderr: %.100q", s.stderr)
			}
		})
	}
	t.Run("at once", func(t *testing.T) {
		s := start(t, Script{Start: []Action{Stderr("cannot find module"), Crash(1)}})
		_, _ = io.Copy(io.Discard, s.stdout)
		if code := s.wait(); code != 1 || s.stderr.String() != "cannot find module\n" {
			t.Errorf("code %d, stderr %q", code, s.stderr)
		}
	})
}

// A rule for one process counts for the first that it fits, and for none that is started after it.
func TestRuleForOneProcess(t *testing.T) {
	script := Script{NoWatch: true, Rules: []Rule{OnNth(folding, 2, Kill()).OnceIn(filepath.Join(t.TempDir(), "once"))}}
	first := open(t, script)
	first.call(folding, "{}")
	first.request(folding, "{}")
	_, _ = io.Copy(io.Discard, first.stdout)
	if code := first.wait(); code != KilledCode {
		t.Errorf("the first ended with %d", code)
	}
	next := open(t, script)
	for range 3 {
		if next.call(folding, "{}").Result == nil {
			t.Error("the next one has no result")
		}
	}
}

// Answers arrive late, twice, out of order, with another kind of id, or not
// at all, while other requests are served.
func TestAnswersOutOfOrder(t *testing.T) {
	c := open(t, Script{Rules: []Rule{
		On("a/hang", Reply("1"), Hang()),
		On("a/later", Reply("1"), DelayUntil("a/next")),
		On("a/next", Reply("2")),
		On("a/twice", Reply("3"), Twice()),
		On("a/string", Reply("4"), StringID()),
		On("a/slow", Reply("5"), Delay(30)),
		{On: "a/busy", Nth: 1, Times: 2, Do: []Action{ServerCancelled()}},
		{On: "a/busy", Nth: 3, Do: []Action{Reply("6")}},
	}})
	for _, method := range []string{"a/hang", "a/later", "a/next", "a/twice", "a/string", "a/slow", "a/busy", "a/busy", "a/busy"} {
		c.request(method, "{}")
	}
	var got []string
	for len(got) < 9 {
		if m := c.read(); m.Method == "" && m.Error != nil {
			got = append(got, fmt.Sprintf("%s: %d %s", m.ID, m.Error.Code, m.Error.Data))
		} else if m.Method == "" {
			got = append(got, string(m.ID)+": "+string(m.Result))
		}
	}
	retry := `: -32802 {"retriggerRequest":true}`
	want := []string{"4: 2", "3: 1", "5: 3", "5: 3", `"6": 4`, "8" + retry, "9" + retry, "10: 6", "7: 5"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A request that waits can be cancelled.
func TestCancel(t *testing.T) {
	c := open(t, Script{Rules: []Rule{On(folding, DelayUntil("never"))}})
	id := c.request(folding, "{}")
	c.notify("$/cancelRequest", `{"id":`+id+`}`)
	if m := c.next(""); m.Error == nil || m.Error.Code != -32800 {
		t.Errorf("got %+v", m)
	}
}

// Diagnostics lie about their version, have bad elements and positions, come
// late (and then tell of the old version), or without end.
func TestRudeDiagnostics(t *testing.T) {
	change := "textDocument/didChange"
	c := open(t, Script{Rules: []Rule{
		OnNth(change, 1, ShiftVersion(-1)),
		OnNth(change, 2, BadElement(), BadPositions()),
		OnNth(change, 3, DelayUntil(change)),
		OnNth(change, 4, ShiftVersion(1000)),
		OnNth(change, 5, PublishForever(1)),
	}})
	c.didOpen("a.toy", "")
	for v := 2; v <= 6; v++ {
		c.didChange("a.toy", v, `{"text":"ERROR `+fmt.Sprint(v)+`"}`)
	}
	var got []string
	for range 9 {
		got = append(got, c.published())
	}
	want := []string{
		"a.toy 1: ",
		"a.toy 1: 2",
		"a.toy 3: (bad), (bad), (bad), (bad), 3, bad position 0, bad position 1, bad position 2, bad position 3",
		"a.toy 1005: 5",
		"a.toy 4: 4",
		"a.toy 6: 6", "a.toy 6: 6", "a.toy 6: 6", "a.toy 6: 6",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Pulled reports have bad elements, too, and a capability can be a lie.
func TestRudePull(t *testing.T) {
	c := start(t, Script{
		Mode:         Push,
		Capabilities: json.RawMessage(`{"diagnosticProvider":{},"textDocumentSync":0}`),
		Rules:        []Rule{OnNth("textDocument/diagnostic", 1, Reply(`{"kind":"full","items":[]}`))},
	})
	if r := string(c.initialize().Result); !strings.Contains(r, `"diagnosticProvider":{}`) || !strings.Contains(r, `"textDocumentSync":0`) {
		t.Errorf("announced: %s", r)
	}
	if r := string(c.call("textDocument/diagnostic", c.in("main.toy", 0, 0)).Result); r != `{"kind":"full","items":[]}` {
		t.Errorf("the lie: %s", r)
	}
	if e := c.call("textDocument/diagnostic", c.in("main.toy", 0, 0)).Error; e == nil {
		t.Error("the second pull has no error")
	}
	p := open(t, Script{Mode: Pull, Rules: []Rule{On("textDocument/diagnostic", BadElement())}})
	var r report
	if err := json.Unmarshal(p.call("textDocument/diagnostic", p.in("main.toy", 0, 0)).Result, &r); err != nil {
		t.Fatal(err)
	}
	if got := p.messages(r.Items); got != "(bad), (bad), (bad), (bad), undefined: helper" {
		t.Error(got)
	}
}

// The bytes on the stream are wrong in each way that servers get them wrong.
func TestRudeFrames(t *testing.T) {
	reply := `{"jsonrpc":"2.0","id":2,"result":[]}`
	good := string(frame([]byte(reply)))
	for name, c := range map[string]struct {
		do   Action
		want string
	}{
		"junk before a frame":   {Raw("Starting…\n"), "Starting…\n" + good},
		"bad JSON":              {BadJSON(), string(frame([]byte(`{"jsonrpc":`))) + good},
		"absurd length":         {ContentLength("99999999999999"), "Content-Length: 99999999999999\r\n\r\n" + good},
		"half, then nothing":    {HalfFrame(), good[:len(good)/2]},
		"half, then the rest":   {SplitFrame(20), good},
		"answered twice":        {Twice(), good + good},
		"a notification before": {Notify("x", "[1]"), string(frame([]byte(`{"jsonrpc":"2.0","method":"x","params":[1]}`))) + good},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, Script{NoWatch: true, Rules: []Rule{On(folding, c.do)}})
			s.call("initialize", `{"capabilities":{}}`)
			s.request(folding, "{}")
			s.request("shutdown", "null") // behind the rest of a split frame
			s.send(`{"jsonrpc":"2.0","method":"exit"}`)
			want := c.want
			if name == "half, then the rest" {
				// exit must not cut the second half off
				got := make([]byte, len(want))
				if _, err := io.ReadFull(s.stdout, got); err == nil && string(got) != want {
					t.Errorf("got %q", got)
				}
				return
			}
			got, err := io.ReadAll(s.stdout)
			if err != nil || !strings.HasPrefix(string(got), want) {
				t.Errorf("got %q, want %q, %v", got, want, err)
			}
			if name == "half, then nothing" && len(got) != len(want) {
				t.Errorf("more came after the half: %q", got)
			}
		})
	}
}

// A frame of 50 MB is one whole frame that holds the answer.
func TestHugeFrame(t *testing.T) {
	c := open(t, Script{Rules: []Rule{On(folding, HugeFrame(50))}})
	c.request(folding, "{}")
	for {
		body, err := readFrame(c.stdout)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(body[:60], []byte(`"result":[]`)) {
			if len(body) < 50<<20 {
				t.Errorf("the frame has %d bytes", len(body))
			}
			return
		}
	}
}

// Every kind of request a server may send is sent, and its answer kept; one
// that must be answered first holds back the server's own answer.
func TestAsks(t *testing.T) {
	c := open(t, Script{StringIDs: true, Rules: []Rule{
		On("a/all", Reply("1"), AskAll()),
		On("a/first", AskFirst("workspace/configuration", `{"items":[{}]}`), Reply("2")),
	}})
	c.call("a/first", "{}")
	c.call("a/all", "{}")
	for range ServerRequests { // answered by read, while this waits for more
		c.call(folding, "{}")
	}
	var got, want []string
	for _, e := range c.journal() {
		if e.Kind == "response" && string(e.Result) == "null" {
			got = append(got, e.Method)
		}
		if e.Kind == "violation" {
			t.Error(e.Text)
		}
	}
	want = append(want, "client/registerCapability", "workspace/configuration")
	for _, r := range ServerRequests {
		want = append(want, r.Method)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Grease adds fields, notifications and requests nobody knows, the same ones
// for the same seed, and changes nothing else. Nulls writes null.
func TestGreaseAndNulls(t *testing.T) {
	run := func(seed uint64) (raw []string, published string) {
		c := start(t, Script{Grease: seed, Nulls: true})
		raw = append(raw, string(c.initialize().Result))
		c.didOpen("a.toy", "ERROR x")
		m := c.next("textDocument/publishDiagnostics")
		raw = append(raw, strings.ReplaceAll(string(m.Params), c.root, ""))
		return raw, c.describe(m)
	}
	first, published := run(1)
	if published != "a.toy 1: x" {
		t.Errorf("greased: %s", published)
	}
	if !strings.Contains(first[1], `"grease`) || !strings.Contains(first[1], `"relatedInformation":null`) {
		t.Errorf("no grease or no nulls: %s", first[1])
	}
	again, _ := run(1)
	other, _ := run(2)
	if first[0] == other[0] || len(again) != len(first) {
		t.Error("the seed changes nothing")
	}
}

// A server that ignores shutdown and exit ends with stdin; one that ignores
// that and SIGTERM ends with SIGKILL; one that stops reading lets the pipe fill.
func TestDoesNotWantToEnd(t *testing.T) {
	c := open(t, Script{Rules: []Rule{On("shutdown", Hang()), On("exit", Hang())}})
	c.request("shutdown", "null")
	c.send(`{"jsonrpc":"2.0","method":"exit"}`)
	c.call("toy/journal", "{}") // still there
	if code := c.wait(); code != 0 {
		t.Errorf("code %d", code)
	}

	c = open(t, Script{IgnoreEOF: true, IgnoreTerm: true})
	c.call(folding, "{}")
	_ = c.stdin.Close()
	if err := c.cmd.Process.Signal(os.Interrupt); err != nil && KilledCode == -1 { // else there are no signals
		t.Fatal(err)
	}
	if holdsWithin(50*time.Millisecond, func() bool { return len(Marked(t, c.marker())) == 0 }) {
		t.Error("it ended")
	}
	_ = c.cmd.Process.Kill()
	if code := c.wait(); code != KilledCode {
		t.Errorf("code %d", code)
	}

	c = open(t, Script{Rules: []Rule{On(folding, StopReading())}})
	c.call(folding, "{}")
	full := make(chan error, 1)
	go func() {
		_, err := c.stdin.Write(frame([]byte(`"` + LongText(1<<20) + `"`)))
		full <- err
	}()
	select {
	case err := <-full:
		t.Fatalf("a MiB went into a pipe that nobody reads, or the server is gone: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	_ = c.cmd.Process.Kill()
	if err := <-full; err == nil {
		t.Error("the rest went through after the end")
	}
}

// A server that stalls serves nothing any more, not even the end of stdin.
func TestStall(t *testing.T) {
	c := open(t, Script{Rules: []Rule{On("initialized", Stall())}})
	c.request(folding, "{}")
	_ = c.stdin.Close()
	done := make(chan []byte, 1)
	go func() {
		rest, _ := io.ReadAll(c.stdout)
		done <- rest
	}()
	select {
	case rest := <-done:
		t.Fatalf("it said %q and ended", rest)
	case <-time.After(100 * time.Millisecond):
	}
	_ = c.cmd.Process.Kill()
	if rest := <-done; strings.Contains(string(rest), `"result"`) {
		t.Errorf("it answered: %s", rest)
	}
}

// A grandchild outlives its server, and is found by marker; the end of the
// test kills it, and without MayOutlive fails the test.
func TestGrandchildIsFound(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	var marker string
	t.Run("left behind", func(t *testing.T) {
		script := Script{MayOutlive: true, Rules: []Rule{On(folding, Grandchild(pidFile))}}
		c := open(t, script)
		c.call(folding, "{}")
		Eventually(t, 10*time.Second, func() bool { _, err := os.Stat(pidFile); return err == nil }, "no pid file")
		marker = c.marker()
		if n := len(Marked(t, marker)); n != 2 {
			t.Errorf("%d processes with the marker, want 2", n)
		}
		if !slices.ContainsFunc(Descendants(t), func(p Process) bool { return p.PID == c.cmd.Process.Pid }) {
			t.Errorf("the server is not a descendant: %v", Descendants(t))
		}
		c.wait()
		if left := Marked(t, marker); len(left) != 1 {
			t.Errorf("left are %v, want the grandchild", left)
		}
	})
	Eventually(t, 5*time.Second, func() bool { return len(Marked(t, marker)) == 0 }, "it is still there")
}

// A process that outlives a test fails it, and does not outlive the cleanup.
func TestLeftProcessesFailTheTest(t *testing.T) {
	defer func(before time.Duration) { patience = before }(patience)
	patience = 0
	o := &outcome{TB: t}
	c := &client{t: t, def: Script{IgnoreEOF: true}.Definition(o)}
	cmd := exec.Command(c.def.Commands[0].Binary)
	cmd.Env = append(os.Environ(), c.def.Env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	Eventually(t, 10*time.Second, func() bool { return len(Marked(t, c.marker())) == 1 }, "it did not start")
	o.end()
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != KilledCode {
		t.Errorf("it ended by itself: %v", err)
	}
	if !strings.HasPrefix(o.said, "error: the test left processes") {
		t.Errorf("the test said %q", o.said)
	}
}
