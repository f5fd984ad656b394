package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/jsonc"
	"github.com/tailscale/hujson"
)

// A jsonFile is a configuration file in JSON, perhaps with comments, that is changed
// without touching a byte of what others wrote.
type jsonFile struct {
	root hujson.Value
	unit string // of indentation
}

// parseJSON reads a file; an empty one is an empty object.
func parseJSON(text []byte) (*jsonFile, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	root, err := jsonc.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("it is no JSON: %w", err)
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return nil, fmt.Errorf("it is no JSON object")
	}
	return &jsonFile{root, indentation(text)}, nil
}

// text returns the text of the file with the changes made so far.
func (f *jsonFile) text() []byte { return f.root.Pack() }

// indentation returns what the first line that is indented begins with.
func indentation(text []byte) string {
	for line := range strings.SplitSeq(string(text), "\n") {
		if rest := strings.TrimLeft(line, " \t"); rest != line && strings.TrimSpace(rest) != "" {
			return line[:len(line)-len(rest)]
		}
	}
	return "  "
}

// object returns the root.
func (f *jsonFile) object() *hujson.Object { return f.root.Value.(*hujson.Object) }

// member returns a member of an object, nil if there is none of that name.
func member(o *hujson.Object, name string) *hujson.Value {
	for i := range o.Members {
		if literal, ok := o.Members[i].Name.Value.(hujson.Literal); ok && literal.String() == name {
			return &o.Members[i].Value
		}
	}
	return nil
}

// ensureMember sets a member of an object at a depth, if there is none of that name yet.
func (f *jsonFile) ensureMember(o *hujson.Object, depth int, name string, value json.RawMessage) (*hujson.Value, error) {
	if there := member(o, name); there != nil {
		return there, nil
	}
	v, err := f.formatted(value, depth+1)
	if err != nil {
		return nil, err
	}
	v.BeforeExtra = hujson.Extra(" ")
	last := len(o.Members) - 1
	if last >= 0 && o.Members[last].Value.AfterExtra != nil { // a comma is there already
		v.AfterExtra = hujson.Extra{}
	}
	before := f.splitExtra(&o.AfterExtra, depth)
	o.Members = append(o.Members, hujson.ObjectMember{Name: hujson.Value{BeforeExtra: before, Value: hujson.String(name)}, Value: v})
	return &o.Members[last+1].Value, nil
}

// appendElement appends an element to an array at a depth.
func (f *jsonFile) appendElement(a *hujson.Array, depth int, element json.RawMessage) error {
	v, err := f.formatted(element, depth+1)
	if err != nil {
		return err
	}
	last := len(a.Elements) - 1
	if last >= 0 && a.Elements[last].AfterExtra != nil {
		v.AfterExtra = hujson.Extra{}
	}
	v.BeforeExtra = f.splitExtra(&a.AfterExtra, depth)
	a.Elements = append(a.Elements, v)
	return nil
}

// splitExtra divides the white space and comments before the end of an object or array at a depth. It returns
// what comes before a new last element: the comments stay before it.
func (f *jsonFile) splitExtra(end *hujson.Extra, depth int) (before hujson.Extra) {
	comments := bytes.TrimRight(*end, " \t\r\n")
	if len(comments) > 0 || !bytes.Contains(*end, []byte("\n")) {
		*end = f.lineAt(depth)
	}
	return append(slices.Clip(hujson.Extra(comments)), f.lineAt(depth+1)...)
}

// keepComments puts the comments before something that goes before what follows it. One that ends
// with its line still does.
func keepComments(before hujson.Extra, next *hujson.Extra) {
	comments := bytes.TrimRight(before, " \t\r\n")
	if len(comments) == 0 {
		return
	}
	blanks := (*next)[:len(*next)-len(bytes.TrimLeft(*next, " \t\r\n"))]
	if bytes.Contains(before[len(comments):], []byte("\n")) && !bytes.Contains(blanks, []byte("\n")) {
		comments = append(slices.Clip(comments), '\n')
	}
	*next = append(slices.Clip(comments), *next...)
}

// dropComma drops the comma after what is the last value now. The comments before it go to the end.
func dropComma(last *hujson.Value, end *hujson.Extra) {
	keepComments(last.AfterExtra, end)
	last.AfterExtra = nil
}

// formatted returns a value indented for a depth, with a line for each part of it.
func (f *jsonFile) formatted(raw json.RawMessage, depth int) (hujson.Value, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, strings.Repeat(f.unit, depth), f.unit); err != nil {
		return hujson.Value{}, err
	}
	return hujson.Parse(b.Bytes())
}

func (f *jsonFile) lineAt(depth int) hujson.Extra {
	return hujson.Extra("\n" + strings.Repeat(f.unit, depth))
}

// dropElements removes the elements of an array that a condition holds for.
func dropElements(a *hujson.Array, drop func(*hujson.Value) bool) (dropped bool) {
	n := len(a.Elements)
	trailing := n > 0 && a.Elements[n-1].AfterExtra != nil
	for i := n - 1; i >= 0; i-- {
		if !drop(&a.Elements[i]) {
			continue
		}
		next := &a.AfterExtra
		if i+1 < len(a.Elements) {
			next = &a.Elements[i+1].BeforeExtra
		}
		keepComments(a.Elements[i].BeforeExtra, next)
		a.Elements = slices.Delete(a.Elements, i, i+1)
	}
	left := len(a.Elements)
	if left > 0 && left < n && !trailing {
		dropComma(&a.Elements[left-1], &a.AfterExtra)
	}
	if left == 0 && len(bytes.TrimSpace(a.AfterExtra)) == 0 {
		a.AfterExtra = nil
	}
	return left < n
}

// dropMember removes a member of an object.
func dropMember(o *hujson.Object, name string) {
	n := len(o.Members)
	trailing := n > 0 && o.Members[n-1].Value.AfterExtra != nil
	for i := n - 1; i >= 0; i-- {
		if literal, ok := o.Members[i].Name.Value.(hujson.Literal); !ok || literal.String() != name {
			continue
		}
		next := &o.AfterExtra
		if i+1 < len(o.Members) {
			next = &o.Members[i+1].Name.BeforeExtra
		}
		keepComments(o.Members[i].Name.BeforeExtra, next)
		o.Members = slices.Delete(o.Members, i, i+1)
	}
	left := len(o.Members)
	if left > 0 && left < n && !trailing {
		dropComma(&o.Members[left-1].Value, &o.AfterExtra)
	}
	if left == 0 && len(bytes.TrimSpace(o.AfterExtra)) == 0 {
		o.AfterExtra = nil
	}
}

// decoded returns a value without its comments.
func decoded(v *hujson.Value) json.RawMessage {
	standard := v.Clone()
	standard.Minimize()
	return json.RawMessage(standard.Pack())
}
