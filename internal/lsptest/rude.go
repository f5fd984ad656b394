package lsptest

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// act does one action of a rule to the turn.
func (s *server) act(t *turn, a Action) {
	milliseconds := time.Duration(a.N) * time.Millisecond
	switch a.Kind {
	case doAnswer:
		s.flush(t)
	case doCrash:
		os.Exit(a.N)
	case doKill:
		killSelf()
	case doHang:
		t.hang, t.out = true, nil
	case doStall:
		sleepForever()
	case doStopReading:
		s.stopped = true
	case doWork:
		for end := time.Now().Add(milliseconds); time.Now().Before(end); {
		}
	case doPause:
		time.Sleep(milliseconds)
	case doAwaitFile:
		for {
			if _, err := os.Stat(a.Text); err == nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	case doDelay:
		if len(t.out) > 0 {
			t.out[0].pause = milliseconds
		}
	case doDelayUntil:
		t.untilMethod = a.Method
	case doTwice:
		t.out = append(t.out, t.out...)
	case doPublishForever:
		s.publishForever(milliseconds)
	case doHalfFrame:
		t.half = true
	case doSplitFrame:
		t.splitAfter = milliseconds
	case doHugeFrame:
		t.hugeBytes = a.N << 20
	case doReply:
		t.replace(message{Result: a.JSON})
	case doReplyError:
		t.replace(message{Error: &ResponseError{Code: a.N, Message: a.Text, Data: orNil(a.JSON)}})
	case doStringID:
		t.stringID = true
	case doShiftVersion:
		t.eachPublish(func(p *publishParams) { p.Version = shifted(p.Version, a.N) })
	case doBadElement:
		t.eachList(func(items []json.RawMessage) []json.RawMessage { return append(badElements(), items...) })
	case doLongPublish:
		t.eachPublish(func(p *publishParams) { p.Diagnostics = append(p.Diagnostics, long(a.N<<20)...) })
	case doBadPositions:
		t.eachList(func(items []json.RawMessage) []json.RawMessage { return append(items, badPositions()...) })
	default:
		s.utter(t, a)
	}
}

// utter does the actions that send something of their own.
func (s *server) utter(t *turn, a Action) {
	switch a.Kind {
	case doPublishMany:
		s.publishMany(a.N)
	case doRaw:
		s.write([]byte(a.Text))
	case doStderr:
		_, _ = io.WriteString(os.Stderr, a.Text)
	case doStderrFlood:
		line := strings.Repeat("stderr ", 11) + "\n"
		// Wine sometimes forgets both sides of a pipe whose reader is behind a write that is larger than its buffer.
		lines := strings.Repeat(line, 50)
		for n := 0; n < a.N<<20; n += len(lines) {
			_, _ = io.WriteString(os.Stderr, lines)
		}
	case doNotify:
		s.write(frame(s.encode(message{Method: a.Method, Params: orNil(a.JSON)})))
	case doAsk:
		s.ask(a.Method, orNil(a.JSON))
	case doAskFirst:
		t.untilResponse = s.ask(a.Method, orNil(a.JSON))
	case doAskAll:
		for _, r := range ServerRequests {
			s.ask(r.Method, orNil(json.RawMessage(r.Params)))
		}
	case doGrandchild:
		startGrandchild(a.Text)
	default:
		fmt.Fprintf(os.Stderr, "lsptest: no such action: %q\n", a.Kind)
		os.Exit(2)
	}
}

func orNil(v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return nil
	}
	return v
}

// replace puts another response in the place of the one in the turn.
func (t *turn) replace(response message) {
	if !t.in.isRequest() {
		return
	}
	response.ID = t.in.ID
	for i := range t.out {
		if t.out[i].Method == "" {
			t.out[i].message = response
			return
		}
	}
	t.out = append(t.out, outgoing{message: response})
}

func (t *turn) eachPublish(change func(*publishParams)) {
	for i := range t.out {
		if t.out[i].Method != "textDocument/publishDiagnostics" {
			continue
		}
		var p publishParams
		if err := json.Unmarshal(t.out[i].Params, &p); err != nil {
			panic(err)
		}
		change(&p)
		t.out[i].Params = encode(p)
	}
}

// eachList changes the diagnostics of each publish and each pulled report.
func (t *turn) eachList(change func([]json.RawMessage) []json.RawMessage) {
	t.eachPublish(func(p *publishParams) { p.Diagnostics = change(p.Diagnostics) })
	if t.in.Method != "textDocument/diagnostic" {
		return
	}
	for i := range t.out {
		var r report
		if t.out[i].Method == "" && json.Unmarshal(t.out[i].Result, &r) == nil && r.Kind == "full" {
			r.Items = change(r.Items)
			t.out[i].Result = encode(r)
		}
	}
}

func shifted(version json.RawMessage, by int) json.RawMessage {
	var n int
	_ = json.Unmarshal(version, &n) // no version: as if it were 0
	return encode(n + by)
}

func badElements() []json.RawMessage {
	return []json.RawMessage{
		json.RawMessage(`null`),
		json.RawMessage(`"not a diagnostic"`),
		json.RawMessage(`{"range":"here","message":"bad element: range"}`),
		json.RawMessage(`{"range":{"start":{"line":"0"}},"message":["bad element: message"],"severity":"high"}`),
	}
}

func badPositions() []json.RawMessage {
	const item = `{"range":{"start":{"line":%s,"character":%s},"end":{"line":%s,"character":%s}},"severity":1,"message":"bad position %d"}`
	var all []json.RawMessage
	for i, p := range [][4]string{
		{"-1", "-1", "-1", "-1"},
		{"0", "0", "4294967295", "4294967295"},
		{"2147483648", "0", "9007199254740993", "1"},
		{"5", "9", "1", "2"},
	} {
		all = append(all, json.RawMessage(fmt.Sprintf(item, p[0], p[1], p[2], p[3], i)))
	}
	return all
}

// publishForever repeats the truth, like a server that is never done.
func (s *server) publishForever(every time.Duration) {
	time.AfterFunc(every, func() {
		s.events <- func() {
			t := &turn{}
			for path := range s.store.open {
				delete(s.last, path)
				s.publish(t, path)
			}
			s.flush(t)
			s.publishForever(every)
		}
	})
}

// wrong is an error over the first character of a file.
const wrong = `{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"severity":1,"message":%q}`

func (s *server) publishMany(n int) {
	for i := range n {
		path := filepath.Join(s.store.roots[0], "many", strconv.Itoa(i)+".toy")
		p := publishParams{URI: s.store.uri(path), Diagnostics: []json.RawMessage{fmt.Appendf(nil, wrong, "one of many")}}
		s.write(frame(s.encode(message{Method: "textDocument/publishDiagnostics", Params: encode(p)})))
	}
}

// long returns errors that take so many bytes of JSON.
func long(bytes int) (all []json.RawMessage) {
	item := fmt.Appendf(nil, wrong, strings.Repeat("wrong ", 1000))
	for n := 0; n < bytes; n += len(item) {
		all = append(all, item)
	}
	return all
}

func startGrandchild(pidFile string) {
	binary, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(binary)
	cmd.Env = append(os.Environ(), childVariable+"="+pidFile)
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

func killSelf() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill()
	}
	sleepForever() // until the signal arrives
}

func ignoreSignals() { signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE) }

func sleepForever() {
	for {
		time.Sleep(time.Hour)
	}
}
