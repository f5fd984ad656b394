package jsonc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A text is read whether its last line ends or not, is given back as it is, and never changed.
func TestLastLine(t *testing.T) {
	type read struct{ Packed, Standard, Minimal, Err string }
	for text, want := range map[string]read{
		"{}":                       {"{}", "{}\n", "{}", ""},
		"{} // x":                  {"{} // x", "{}     \n", "{}", ""},
		"{} // x\n":                {"{} // x\n", "{}     \n\n", "{}", ""},
		"// a\n{\"b\": [1,],}\n//": {"// a\n{\"b\": [1,],}\n//", "    \n{\"b\": [1 ] }\n  \n", `{"b":[1]}`, ""},
		"{ // x":                   {"{", "", "", "hujson: line 1, column 3: parsing comment: unexpected EOF"},
		"{} /* x":                  {"{}", "", "", "hujson: line 1, column 4: parsing comment: unexpected EOF"},
	} {
		given := []byte(text)
		value, err := Parse(given)
		got := read{Packed: string(value.Pack())}
		if err != nil {
			got.Err = err.Error()
		}
		standard, failed := Standardize(given)
		minimal, failedToo := Minimize(given)
		if got.Standard, got.Minimal = string(standard), string(minimal); (failed != nil) != (err != nil) || (failedToo != nil) != (err != nil) {
			t.Errorf("%q: %v, but %v, %v", text, err, failed, failedToo)
		}
		if err != nil { // what is left of a text that is none does not count
			got.Packed, got.Standard, got.Minimal = want.Packed, "", ""
		}
		if diff := cmp.Diff(want, got); diff != "" || string(given) != text {
			t.Errorf("%q, now %q: -want +got:\n%s", text, given, diff)
		}
	}
}

// A byte order mark in front of a text is passed over, and the text is not changed.
func TestByteOrderMark(t *testing.T) {
	text := "\ufeff{\"a\": 1}"
	given := []byte(text)
	standard, err := Standardize(given)
	minimal, failed := Minimize(given)
	if diff := cmp.Diff([]string{"   {\"a\": 1}\n", `{"a":1}`, text}, []string{string(standard), string(minimal), string(given)}); diff != "" || err != nil || failed != nil {
		t.Errorf("%v, %v (-want +got):\n%s", err, failed, diff)
	}
}
