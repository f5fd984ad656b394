package protocol

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A publish is read up to its limits, and what is beyond them is counted, whether the message is as LSP has it or odd.
func TestPublishesAreReadUpToLimits(t *testing.T) {
	type read struct {
		URI                  DocumentURI
		Version              int32
		Items, Skipped, Left int
	}
	item := func(message string) string {
		return `{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":1}},"message":"` + message + `"}`
	}
	times := func(n int, text string) string { return strings.Join(slices.Repeat([]string{text}, n), ",") }
	for name, c := range map[string]struct {
		elements string
		want     read
	}{
		"none":              {"", read{}},
		"some":              {item("a") + ", 7 ," + item("b"), read{Items: 2, Skipped: 1}},
		"all that are read": {times(MaxPublished, item("a")), read{Items: MaxPublished}},
		"too many":          {times(MaxPublished+3, item("a")), read{Items: MaxPublished, Left: 3}},
		"one too long":      {item("a") + "," + item(strings.Repeat("x", maxElement)) + "," + item("b"), read{Items: 2, Left: 1}},
		"all too long":      {times(20, item(strings.Repeat("x", 1<<20))), read{Items: 15, Left: 5}},
	} {
		for form, text := range map[string]string{
			"as LSP has it":        `{"uri":"file:///a","version":3,"diagnostics":[%s]}`,
			"with more":            `{"x":{"y":[1]},"uri":"file:///a","version":3,"diagnostics":[%s],"z":null}`,
			"odd, and read slowly": `{"URI":"file:///b","uri":"file:///a","version":3,"diagnostics":[%s]}`,
		} {
			if form != "as LSP has it" && len(c.elements) > 4<<20 {
				continue
			}
			p, err := DecodePublish(fmt.Appendf(nil, text, c.elements))
			if err != nil {
				t.Fatalf("%s, %s: %v", name, form, err)
			}
			want := c.want
			want.URI, want.Version = "file:///a", 3
			if diff := cmp.Diff(want, read{p.URI, *p.Version, len(p.Items), p.Skipped, p.Left}); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, form, diff)
			}
		}
	}
}

// Nothing that is returned is a part of the message, which may be a thousand times as long.
func TestPublishesKeepNothingOfTheirMessage(t *testing.T) {
	const text = `{"uri":"file:///a","diagnostics":[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":1}},"message":"m","code":"c","source":"s","relatedInformation":[{"location":{"uri":"file:///b","range":{"start":{"line":1,"character":0},"end":{"line":1,"character":1}}},"message":"r"}]}]}`
	raw := []byte(text)
	p, err := DecodePublish(raw)
	if err != nil {
		t.Fatal(err)
	}
	copy(raw, bytes.Repeat([]byte("!"), len(raw)))
	again, err := DecodePublish([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(again, p, cmp.AllowUnexported(Publish{})); diff != "" {
		t.Errorf("it changed with the message (-want +got):\n%s", diff)
	}
}
