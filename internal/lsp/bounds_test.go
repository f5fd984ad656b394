package lsp

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
)

// What a server says of its progress is kept up to bounds: works, titles, and the length of each.
func TestProgressIsBounded(t *testing.T) {
	p := &progress{open: make(map[string]Work), titles: make(map[string]int), changed: make(chan struct{})}
	say := func(token, kind, title, message string) bool {
		e := protocol.ProgressEvent{Token: token, Kind: kind, Title: title, Message: message}
		if !p.hasRoom(e) {
			return false
		}
		p.note(e)
		return true
	}
	for i := range maxWorks + 5 {
		say(strconv.Itoa(i), "begin", "loading", "")
	}
	got := []bool{
		say("another", "begin", "loading", ""), say("7", "begin", "loading", ""), say("7", "end", "", ""), say("another", "begin", "loading", ""),
		say("8", "report", "", strings.Repeat("x", maxEvent)), say("8", "report", "", "x"),
	}
	if diff := cmp.Diff([]bool{false, true, true, true, false, true}, got); diff != "" || len(p.open) != maxWorks {
		t.Errorf("%d works (-want +got):\n%s", len(p.open), diff)
	}
	for i := range maxTitles + 5 {
		say("8", "begin", "title "+strconv.Itoa(i), "")
	}
	if len(p.titles) != maxTitles || !say("8", "begin", "loading", "") {
		t.Errorf("%d titles", len(p.titles))
	}
}

// So are the abilities that it registers.
func TestRegistrationsAreBounded(t *testing.T) {
	r := &registrations{changed: make(chan struct{})}
	for i := range maxRegistrations + 5 {
		r.add(protocol.Registration{ID: strconv.Itoa(i), Method: "textDocument/diagnostic"})
	}
	if n := len(r.all()); n != maxRegistrations {
		t.Errorf("%d registrations", n)
	}
}
