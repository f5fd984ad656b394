package lsptest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"
)

// A server is the scripted server. One goroutine, that of run, owns all of it;
// others only hand it functions through events.
type server struct {
	script Script
	in     *bufio.Reader
	out    io.Writer
	events chan func()
	more   chan struct{} // a token lets the reader read one more frame

	store       *store
	client      clientCapabilities
	initialized bool // initialize was answered
	shutdown    bool
	stopped     bool              // StopReading
	seen        map[string]int    // messages so far by method, and "*" for all
	last        map[string]string // what was published last, by path
	journal     []Entry
	journalFile *os.File

	nextID  int
	asked   map[string]string // id of a request of ours: its method
	parked  []*turn
	timed   []*turn  // by due
	muted   bool     // HalfFrame
	split   bool     // between the halves of SplitFrame
	pending [][]byte // what waits behind the second half
	random  *rand.Rand
}

// An outgoing message, with the time to wait before it.
type outgoing struct {
	message
	pause time.Duration
}

// A turn is one message from the client and what it causes.
type turn struct {
	in  message
	out []outgoing

	flushed       bool
	due           time.Time // in timed
	hang          bool
	untilMethod   string
	untilResponse string // an id in asked
	stringID      bool
	half          bool
	splitAfter    time.Duration
	hugeBytes     int
}

func newServer(script Script, in io.Reader, out io.Writer) *server {
	s := &server{
		script: script,
		in:     bufio.NewReader(in),
		out:    out,
		events: make(chan func(), 64),
		more:   make(chan struct{}, 1),
		store:  newStore(),
		seen:   map[string]int{},
		last:   map[string]string{},
		asked:  map[string]string{},
		random: rand.New(rand.NewPCG(script.Grease, script.Grease)),
	}
	if script.PositionEncoding != "" {
		s.store.encoding = script.PositionEncoding
	}
	return s
}

// run serves, and exits the process at the end.
func (s *server) run() {
	if s.script.IgnoreTerm {
		ignoreSignals()
	}
	if s.script.JournalFile != "" {
		f, err := os.OpenFile(s.script.JournalFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		s.journalFile = f
	}
	start := &turn{}
	for _, a := range s.script.Start {
		s.act(start, a)
	}
	go sleepForever() // or the runtime takes a server that waits for nothing for a deadlock
	go s.read()
	for f := range s.events {
		f()
	}
}

// read hands over one frame at a time, so that StopReading stops at once.
func (s *server) read() {
	for {
		body, err := readFrame(s.in)
		if err != nil {
			s.events <- s.endOfInput
			return
		}
		s.events <- func() {
			s.receive(body)
			if !s.stopped {
				s.more <- struct{}{}
			}
		}
		<-s.more
	}
}

func (s *server) endOfInput() {
	switch {
	case s.script.IgnoreEOF:
	case s.shutdown:
		os.Exit(0)
	default:
		os.Exit(1)
	}
}

func (s *server) receive(body []byte) {
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		s.violation("not JSON-RPC: %v: %.100s", err, body)
		return
	}
	if m.JSONRPC != "2.0" {
		s.violation("jsonrpc is %q: %.100s", m.JSONRPC, body)
	}
	if m.Method == "" {
		s.receiveResponse(m)
		return
	}
	t := &turn{in: m}
	if m.Method == "toy/journal" {
		t.respond(append([]Entry{}, s.journal...))
		s.flush(t)
		return
	}
	kind := "notification"
	if m.isRequest() {
		kind = "request"
	}
	s.record(Entry{Kind: kind, Method: m.Method, ID: m.ID, Params: m.Params})
	waiting := s.takeParked(func(p *turn) bool { return p.untilMethod == m.Method })
	s.handle(t)
	for _, a := range s.actions(m.Method, string(m.Params)) {
		s.act(t, a)
	}
	if s.script.Mode == Progress && m.isRequest() && t.untilResponse == "" {
		t.untilResponse = s.awaited() // one after another, as gopls does
	}
	s.flush(t)
	for _, p := range waiting {
		p.untilMethod = ""
		s.send(p)
	}
	if m.Method == "exit" && !t.hang {
		s.exit()
	}
}

// awaited returns the request of ours that the last parked turn waits for, or "".
func (s *server) awaited() (id string) {
	for _, p := range s.parked {
		if p.untilResponse != "" {
			id = p.untilResponse
		}
	}
	return id
}

// actions counts the message and returns what the rules say about it.
func (s *server) actions(method, params string) []Action {
	s.seen[method]++
	s.seen["*"]++
	var do []Action
	for _, r := range s.script.Rules {
		if r.fits(method, s.seen[method], s.seen["*"]) && strings.Contains(params, r.Holding) && r.first() {
			do = append(do, r.Do...)
		}
	}
	return do
}

func (s *server) exit() {
	if s.shutdown {
		os.Exit(0)
	}
	os.Exit(1)
}

func (s *server) receiveResponse(m message) {
	id := string(m.ID)
	method, known := s.asked[id]
	if !known {
		s.violation("a response to no request: id %s", id)
		return
	}
	delete(s.asked, id)
	s.record(Entry{Kind: "response", Method: method, ID: m.ID, Result: m.Result, Error: m.Error})
	for _, p := range s.takeParked(func(p *turn) bool { return p.untilResponse == id }) {
		p.untilResponse = ""
		s.send(p)
	}
}

func (s *server) takeParked(wanted func(*turn) bool) (taken []*turn) {
	var rest []*turn
	for _, p := range s.parked {
		if wanted(p) {
			taken = append(taken, p)
		} else {
			rest = append(rest, p)
		}
	}
	s.parked = rest
	return taken
}

func (s *server) record(e Entry) {
	s.journal = append(s.journal, e)
	if s.journalFile != nil {
		_, _ = s.journalFile.Write(append(encode(e), '\n'))
	}
}

func (s *server) violation(format string, args ...any) {
	s.record(Entry{Kind: "violation", Text: fmt.Sprintf(format, args...)})
}

// respond sets the result; a nil result is null.
func (t *turn) respond(result any) {
	if t.in.isRequest() {
		t.out = append(t.out, outgoing{message: message{ID: t.in.ID, Result: encode(result)}})
	}
}

func (t *turn) respondError(e ResponseError) {
	if t.in.isRequest() {
		t.out = append(t.out, outgoing{message: message{ID: t.in.ID, Error: &e}})
	}
}

func (t *turn) notify(method string, params json.RawMessage) {
	t.out = append(t.out, outgoing{message: message{Method: method, Params: params}})
}

// ask sends a request of our own at once and returns its id.
func (s *server) ask(method string, params json.RawMessage) string {
	s.nextID++
	id := encode(s.nextID)
	if s.script.StringIDs {
		id = encode(fmt.Sprintf("toy-%d", s.nextID))
	}
	s.asked[string(id)] = method
	s.write(frame(s.encode(message{ID: id, Method: method, Params: params})))
	return string(id)
}

// flush sends the turn, once.
func (s *server) flush(t *turn) {
	if t.flushed {
		return
	}
	t.flushed = true
	s.send(t)
}

// send writes what the turn caused, or parks it until it may be.
func (s *server) send(t *turn) {
	if t.untilMethod != "" || t.untilResponse != "" {
		s.parked = append(s.parked, t)
		return
	}
	for len(t.out) > 0 {
		next := &t.out[0]
		if wait := next.pause; wait > 0 {
			next.pause = 0
			s.sendLater(t, wait)
			return
		}
		t.out = t.out[1:]
		s.sendOne(t, next.message)
	}
}

// sendLater sends the turn after the time, and after those due before it.
func (s *server) sendLater(t *turn, wait time.Duration) {
	t.due = time.Now().Add(wait)
	i := len(s.timed)
	for i > 0 && s.timed[i-1].due.After(t.due) {
		i--
	}
	s.timed = slices.Insert(s.timed, i, t)
	time.AfterFunc(wait, func() { s.events <- s.sendDue })
}

func (s *server) sendDue() {
	for len(s.timed) > 0 && !s.timed[0].due.After(time.Now()) {
		t := s.timed[0]
		s.timed = s.timed[1:]
		s.send(t)
	}
}

func (s *server) sendOne(t *turn, m message) {
	if t.stringID && m.Method == "" {
		m.ID = encode(string(m.ID))
	}
	body := s.encode(m)
	if t.hugeBytes > 0 {
		body = pad(body, t.hugeBytes)
		t.hugeBytes = 0
	}
	data := frame(body)
	switch {
	case t.half:
		s.write(data[:len(data)/2])
		s.muted = true
	case t.splitAfter > 0:
		s.write(data[:len(data)/2])
		s.split = true
		time.AfterFunc(t.splitAfter, func() {
			s.events <- func() { s.endSplit(data[len(data)/2:]) }
		})
		t.splitAfter = 0
	default:
		s.write(data)
	}
	if s.script.Grease != 0 && s.initialized {
		s.write(frame(s.encode(message{Method: fmt.Sprintf("grease/note%04x", s.random.Uint32()&0xffff)})))
		if m.Method == "" && s.random.IntN(4) == 0 {
			s.ask(fmt.Sprintf("grease/ask%04x", s.random.Uint32()&0xffff), nil)
		}
	}
}

func (s *server) endSplit(rest []byte) {
	s.split = false
	s.write(rest)
	pending := s.pending
	s.pending = nil
	for _, p := range pending {
		s.write(p)
	}
}

func (s *server) encode(m message) []byte {
	m.JSONRPC = "2.0"
	if s.script.Grease != 0 {
		m.Params, m.Result = s.grease(m.Params), s.grease(m.Result)
		return s.grease(encode(m))
	}
	return encode(m)
}

func (s *server) write(data []byte) {
	switch {
	case s.muted:
	case s.split:
		s.pending = append(s.pending, data)
	default:
		if _, err := s.out.Write(data); err != nil && !s.script.IgnoreEOF {
			os.Exit(1) // nobody reads any more
		}
	}
}

// pad makes a JSON object at least n bytes long.
func pad(object []byte, n int) []byte {
	filler := bytes.Repeat([]byte("x"), max(0, n-len(object)))
	return slices.Concat(object[:len(object)-1], []byte(`,"padding":"`), filler, []byte(`"}`))
}
