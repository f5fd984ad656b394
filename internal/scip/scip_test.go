package scip_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/scip"
)

// read returns all that an index says.
func read(index []byte) (m scip.Metadata, documents []*scip.Document, err error) {
	r := scip.NewReader(bytes.NewReader(index))
	for {
		d, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r.Metadata, documents, nil
		}
		if err != nil {
			return r.Metadata, documents, err
		}
		documents = append(documents, d)
	}
}

func written(t interface{ Fatal(...any) }, m scip.Metadata, documents ...*scip.Document) []byte {
	var index bytes.Buffer
	w := scip.NewWriter(&index, m)
	for _, d := range documents {
		if err := w.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return index.Bytes()
}

// What is written is read as it was, whatever it is.
func TestWrittenIsRead(t *testing.T) {
	place := rapid.Custom(func(t *rapid.T) [4]int32 {
		n := rapid.Int32Range(0, math.MaxInt32)
		return [4]int32{n.Draw(t, "line"), n.Draw(t, "character"), n.Draw(t, "last line"), n.Draw(t, "end")}
	})
	rapid.Check(t, func(t *rapid.T) {
		m := scip.Metadata{ToolName: rapid.String().Draw(t, "tool"), ToolVersion: "1", ProjectRoot: "file:///w"}
		var documents []*scip.Document
		for range rapid.IntRange(0, 3).Draw(t, "documents") {
			d := &scip.Document{
				Path: rapid.String().Draw(t, "path"), Language: "go", Encoding: scip.Encoding(rapid.Int32Range(0, 3).Draw(t, "encoding")),
				Hash: rapid.StringMatching(`([0-9a-f]{64})?`).Draw(t, "hash"), HasText: rapid.Bool().Draw(t, "has text"),
			}
			if d.HasText {
				d.Text = append([]byte{}, rapid.String().Draw(t, "text")...)
			}
			for range rapid.IntRange(0, 3).Draw(t, "occurrences") {
				o := scip.Occurrence{Range: place.Draw(t, "range"), Symbol: rapid.String().Draw(t, "symbol"), Roles: scip.Role(rapid.Int32Range(0, 63).Draw(t, "roles"))}
				if o.HasEnclosing = rapid.Bool().Draw(t, "enclosed"); o.HasEnclosing {
					o.Enclosing = place.Draw(t, "enclosing")
				}
				d.Occurrences = append(d.Occurrences, o)
			}
			for range rapid.IntRange(0, 2).Draw(t, "symbols") {
				b := rapid.Bool()
				d.Symbols = append(d.Symbols, scip.SymbolInformation{
					Symbol: rapid.String().Draw(t, "symbol"), DisplayName: rapid.String().Draw(t, "name"),
					Relationships: []scip.Relationship{{
						Symbol: "x", Reference: b.Draw(t, "reference"), Implementation: b.Draw(t, "implementation"),
						TypeDefinition: b.Draw(t, "type"), Same: b.Draw(t, "same"),
					}},
				})
			}
			documents = append(documents, d)
		}
		gotMeta, got, err := read(written(t, m, documents...))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(documents, got); diff != "" || gotMeta != m {
			t.Errorf("(-written +read)\n%s%+v", diff, gotMeta)
		}
	})
}

// Numbers that others write one by one, and fields that we do not know, are read; what is no index, ends too soon or asks for more than there
// is, is an error, and so is what exceeds a bound.
func TestStrangeIndexes(t *testing.T) {
	message := func(number protowire.Number, content []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
	}
	number := func(number protowire.Number, n uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), n)
	}
	unpacked := bytes.Join([][]byte{number(1, 1), number(1, 2), number(1, 3), message(2, []byte("local 1")), number(90, 7)}, nil)
	_, documents, err := read(bytes.Join([][]byte{message(3, []byte("external")), message(2, append(message(1, []byte("a.go")), message(2, unpacked)...)), message(77, nil)}, nil))
	want := []*scip.Document{{Path: "a.go", Occurrences: []scip.Occurrence{{Range: [4]int32{1, 2, 1, 3}, Symbol: "local 1"}}}}
	if diff := cmp.Diff(want, documents); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	whole := written(t, scip.Metadata{ToolName: "a"}, want[0])
	for name, c := range map[string]struct {
		index []byte
		want  string
	}{
		"text":                     {[]byte("package a\n"), "it is no SCIP index"},
		"an endless number":        {bytes.Repeat([]byte{0xff}, 20), "it is no SCIP index"},
		"a part":                   {whole[:len(whole)-3], "it ends within a message"},
		"a size of what is absent": {append(protowire.AppendTag(nil, 2, protowire.BytesType), 0xff, 0xff, 0xff, 0x0f), "it ends within a message"},
		"a huge document":          {protowire.AppendVarint(protowire.AppendTag(nil, 2, protowire.BytesType), 1<<40), "it has more than 67108864 bytes"},
		"a long symbol":            {message(2, message(2, message(2, bytes.Repeat([]byte("a"), 9000)))), "a text has more than 8192 bytes"},
		"a range of five":          {message(2, message(2, message(1, []byte{1, 2, 3, 4, 5}))), "a range has neither three nor four numbers"},
		"a range of two":           {message(2, message(2, message(1, []byte{1, 2}))), "a range has neither three nor four numbers"},
		"a path that is no text":   {message(2, message(1, []byte{0xff})), "a field is malformed"},
		"a number for a message":   {message(2, number(2, 1)), "a field is malformed"},
		"many relationships":       {message(2, message(3, bytes.Repeat(message(4, nil), 10_001))), "a symbol has more than 10000 relationships"},
		"many documents":           {bytes.Repeat(message(2, nil), 200_002), "it has more than 200000 documents"},
	} {
		_, _, err := read(c.index)
		var malformed *scip.FormatError
		if !errors.As(err, &malformed) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := read(nil); err != nil {
		t.Errorf("an empty file is an index without documents: %v", err)
	}
}

func TestSymbols(t *testing.T) {
	for text, want := range map[string]scip.Symbol{
		"local 12": {Local: "12"},
		"scip-go gomod bakery 1 `bakery/oven`/Oven#Bake().": {
			Scheme: "scip-go", Manager: "gomod", Package: "bakery", Version: "1",
			Descriptors: []scip.Descriptor{{"bakery/oven", scip.Namespace}, {"Oven", scip.Type}, {"Bake", scip.Method}},
		},
		"a . b  c . f().(x)": {
			Scheme: "a", Manager: ".", Package: "b c", Version: ".", Descriptors: []scip.Descriptor{{"f", scip.Method}, {"x", scip.Parameter}},
		},
		"a . . . A#[T]": {
			Scheme: "a", Manager: ".", Package: ".", Version: ".", Descriptors: []scip.Descriptor{{"A", scip.Type}, {"T", scip.TypeParameter}},
		},
		"a . . . `a``b`:m!v.": {
			Scheme: "a", Manager: ".", Package: ".", Version: ".", Descriptors: []scip.Descriptor{{"a`b", scip.Meta}, {"m", scip.Macro}, {"v", scip.Term}},
		},
	} {
		got, ok := scip.ParseSymbol(text)
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s: %t\n%s", text, ok, diff)
		}
		if got.String() != text {
			t.Errorf("%s is written %s", text, got)
		}
	}
	for _, text := range []string{"", "local ", "a b c", "a b c d ", "a b c d x", "a b c d `x", "a b c d x(", "a b c d [T", "a b c d x?", "a b c d #"} {
		if got, ok := scip.ParseSymbol(text); ok {
			t.Errorf("%q: %+v", text, got)
		}
	}
	if m, _ := scip.ParseSymbol("a . . . p/A#f()."); !m.IsMember() {
		t.Error("f of A is a member")
	}
	if m, _ := scip.ParseSymbol("a . . . p/f()."); m.IsMember() {
		t.Error("f of p is none")
	}
}

// Whatever is read, reading ends, and what was read can be written and read again.
func FuzzReader(f *testing.F) {
	f.Add(written(f, scip.Metadata{ToolName: "a"}, &scip.Document{
		Path: "a.go", Occurrences: []scip.Occurrence{{Range: [4]int32{1, 2, 1, 4}, Symbol: "local 1", Roles: 1}},
		Symbols: []scip.SymbolInformation{{Symbol: "local 1", Relationships: []scip.Relationship{{Symbol: "local 1", Reference: true}}}},
	}))
	f.Add([]byte{0x12, 0x80, 0x80, 0x80, 0x01})
	f.Fuzz(func(t *testing.T, index []byte) {
		m, documents, err := read(index)
		if err != nil {
			return
		}
		for _, d := range documents {
			if d.Encoding < 0 { // it would be another number
				return
			}
			for _, o := range d.Occurrences {
				for _, n := range append(o.Range[:], int32(o.Roles)) {
					if n < 0 {
						return
					}
				}
				for _, n := range o.Enclosing {
					if n < 0 {
						return
					}
				}
				if parsed, ok := scip.ParseSymbol(o.Symbol); ok {
					if again, ok := scip.ParseSymbol(parsed.String()); parsed.Local == "" && (!ok || !cmp.Equal(again.Descriptors, parsed.Descriptors)) {
						t.Errorf("%q is written %q", o.Symbol, parsed)
					}
				}
			}
		}
		_, again, err := read(written(t, m, documents...))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(documents, again); diff != "" {
			t.Error(diff)
		}
	})
}
