package legible

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Ordinary text of all the world stays as it is: names, code, right-to-left scripts, words that are
// written with joiners, and emoji that are.
func TestOrdinaryTextStays(t *testing.T) {
	for _, text := range []string{
		"", "a/b.go:1:2: error: x", "\tindented\n\nlines\n", `C:\new\table`, "Vec<T> && a < b, &amp; </div> <system.web>", "größer — 漢字 かな 한글",
		"שלום עולם", "می\u200cخواهم", "क्\u200dष", "👩\u200d👩\u200d👧 ❤️ 1️⃣ 🏳️\u200d🌈 👍🏽", "e\u0301 a\u00a0b", "葛\U000e0100", "::std::move(x)", "# heading ## more", "\ufffd",
	} {
		if diff := cmp.Diff([]string{text, text, string(Printed(text))}, []string{Visible(text), Model(text), text}); diff != "" {
			t.Errorf("%q (-is +want):\n%s", text, diff)
		}
	}
}

// What is not seen is spelt out, and ends of lines and tabs are, too, where a line is wanted; so names that differ look different.
func TestWhatIsNotSeenIsSpeltOut(t *testing.T) {
	for given, want := range map[string][3]string{ // as a text, as a line, and as a message
		"a\nb\tc":                {"a\nb\tc", `a\nb\tc`, "a b c"},
		"a\r\nb":                 {"a\\r\nb", `a\r\nb`, "a b"},
		"\x00\x1b[2J\x7f\u009b":  {`\x00\x1b[2J\x7f\u009b`, `\x00\x1b[2J\x7f\u009b`, `\x00\x1b[2J\x7f\u009b`},
		"\xff\xc3":               {`\xff\xc3`, `\xff\xc3`, `\xff\xc3`},
		"a\u202eb\u2066c":        {`a\u202eb\u2066c`, `a\u202eb\u2066c`, `a\u202eb\u2066c`},
		"a\u200bb\u2028c\u00add": {`a\u200bb\u2028c\u00add`, `a\u200bb\u2028c\u00add`, `a\u200bb\u2028c\u00add`},
		"a\U000e0041\ufeff":      {`a\U000e0041\ufeff`, `a\U000e0041\ufeff`, `a\U000e0041\ufeff`},
		"a\u200db a\ufe0f\ufe0f": {`a\u200db a\ufe0f\ufe0f`, `a\u200db a\ufe0f\ufe0f`, `a\u200db a\ufe0f\ufe0f`},
		"x\u3164y\u115f":         {`x\u3164y\u115f`, `x\u3164y\u115f`, `x\u3164y\u115f`},
		"❤️\ufe0f\U000e0101":     {"❤️" + `\ufe0f\U000e0101`, "❤️" + `\ufe0f\U000e0101`, "❤️" + `\ufe0f\U000e0101`},
	} {
		if got := [3]string{Visible(given), Name(given), Message(given)}; got != want {
			t.Errorf("%q is %q, want %q", given, got, want)
		}
	}
}

// Tags that surround what a model reads are broken, whatever their case; all others, and code, stay.
func TestTagsAroundWhatAModelReads(t *testing.T) {
	for given, want := range map[string]string{
		"a</diagnostics>b":               "a&lt;/diagnostics>b",
		`<diagnostics file="x">`:         `&lt;diagnostics file="x">`,
		"</ System-Reminder >":           "&lt;/ System-Reminder >",
		"<system-reminder>x<b>y</b>":     "&lt;system-reminder>x<b>y</b>",
		"<system.web> #include <system>": "<system.web> #include &lt;system>",
		"List<diagnosticsX> a<b && c>d":  "List<diagnosticsX> a<b && c>d",
	} {
		if got := Model(given); got != want {
			t.Errorf("%q is %q, want %q", given, got, want)
		}
	}
	if got, want := Hanging("a\n\n::b\n"), "a\n\n  ::b\n"; got != want {
		t.Errorf("hanging: %q, want %q", got, want)
	}
}

// strangers draws what strangers write.
func strangers() *rapid.Generator[string] {
	parts := []string{
		"a", " ", "\n", "\t", "\r", "::error::x", "::", ":", "\x1b[31m", "\u202e", "\u200b", "\u2028", "\U000e0041", "<", "</diagnostics>", "<system-reminder>",
		"##[error]", "##", "[", "#", "##vso[task]", "\xff", "é", "漢", "👩\u200d👧", "\u009b", "\\", `"`, "&", "\u3000", "stop-commands::t", "\v", "\xe2", "\x80\xae",
	}
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOf(rapid.SampledFrom(parts)).Draw(t, "parts"), "")
	})
}

// Whatever a stranger writes, nothing in it is hidden afterwards; doing it again changes nothing; and what is
// legible is valid UTF-8.
func TestAllIsSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strangers().Draw(t, "text")
		for _, one := range []func(string) string{Visible, Model, Line, Name, Message, Hanging} {
			once := one(text)
			if Visible(once) != once || one(once) != once && strings.Count(once, "\n") == 0 || !utf8.ValidString(once) {
				t.Fatalf("%q became %q", text, once)
			}
		}
		if line := Line(text); strings.ContainsAny(line, "\n\t\r") {
			t.Fatalf("%q is more than a line", line)
		}
	})
}

// JSON is exactly the same value, in which nothing is hidden and nothing is a command or a tag of a wrapper.
func TestJSONMeansTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := map[string]string{strings.ToValidUTF8(strangers().Draw(t, "key"), "?"): strings.ToValidUTF8(strangers().Draw(t, "value"), "?")}
		for _, indent := range []string{"", "  "} {
			var b bytes.Buffer
			if err := Encode(&b, given, indent); err != nil {
				t.Fatal(err)
			}
			var got map[string]string
			if err := json.Unmarshal(b.Bytes(), &got); err != nil {
				t.Fatalf("%v: %s", err, b.String())
			}
			if diff := cmp.Diff(given, got); diff != "" {
				t.Fatal(diff)
			}
			if text := b.String(); Visible(text) != text || Model(text) != text || string(Printed(text)) != text {
				t.Fatalf("%q is not legible", text)
			}
		}
	})
}

// commandsIn returns the workflow commands that GitHub's runner and others would see in a log.
func commandsIn(log string, all bool) (found []string) {
	for line := range strings.Lines(log) {
		begun := strings.TrimSpace(line)
		known := strings.HasPrefix(begun, "::error::") || strings.HasPrefix(begun, "::stop-commands::")
		if all && strings.HasPrefix(begun, "::") || known || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
			found = append(found, line)
		}
	}
	return found
}

// However a text is divided into writes, what comes out is the same, has no command, and nothing is lost;
// in the log of a CI system no line begins as a command does.
func TestNothingThatIsPrintedIsACommand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, ci := strangers().Draw(t, "text"), rapid.Bool().Draw(t, "in CI")
		print := func(parts ...string) string {
			var b bytes.Buffer
			terminal := Terminal{W: &b, CI: ci}
			for _, part := range parts {
				if n, err := io.WriteString(&terminal, part); n != len(part) || err != nil {
					t.Fatal(n, err)
				}
			}
			if err := terminal.Flush(); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		whole := print(text)
		if found := commandsIn(whole, ci); len(found) > 0 || Visible(whole) != whole {
			t.Fatalf("%q was printed as %q", text, whole)
		}
		back := strings.NewReplacer(`\u003a`, ":", `\u0023`, "#").Replace(whole)
		if back != Visible(text) {
			t.Fatalf("%q was printed as %q", text, whole)
		}
		at := rapid.IntRange(0, len(text)).Draw(t, "divided at")
		if parts := print(text[:at], text[at:]); parts != whole {
			t.Fatalf("in two parts %q, whole %q", parts, whole)
		}
	})
}

// A prompt appears at once, also one that ends within a line; what may become a command waits.
func TestWhatWaits(t *testing.T) {
	var b bytes.Buffer
	terminal := Terminal{W: &b, Own: []string{"\x1b[1m", "\x1b[0m"}}
	var seen []string
	for _, part := range []string{"Write this? [y/N] ", "::error::\n", "  :", ":err", "or::x\n", "\x1b[1mbold\x1b[0m\x1b[2J\n", "\x1b[1m::error::x\n", "#", "#[a]", "\xe2\x80", "\xae"} {
		fmt.Fprint(&terminal, part)
		seen = append(seen, b.String())
		b.Reset()
	}
	if err := terminal.Flush(); err != nil {
		t.Fatal(err)
	}
	want := []string{"Write this? [y/N] ", "::error::\n", "", "", "  \\u003a:error::x\n", "\x1b[1mbold\x1b[0m\\x1b[2J\n", "\x1b[1m\\u003a:error::x\n", "", `#\u0023[a]`, "", `\u202e`, ""}
	if diff := cmp.Diff(want, append(seen, b.String())); diff != "" {
		t.Error("written by each part (-want +got):\n" + diff)
	}
}

// A workflow command is that one command, whatever stands in it.
func TestCommand(t *testing.T) {
	got := Command("error", "50% of\n::stop-commands::x\x1b[1m ##[group]", Property{"file", "::warning::x,y\n\u202e.go"}, Property{"line", "3"})
	want := `::error file=%3A%3Awarning%3A%3Ax%2Cy%0A\u202e.go,line=3::50%25 of%0A::stop-commands::x\x1b[1m #\u0023[group]` + "\n"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func BenchmarkPrinted(b *testing.B) {
	text := strings.Repeat("internal/a/b.go:12:3: error: undefined: foo – größer\n", 2000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_ = Printed(text)
	}
}
