package registry

import "testing"

// The program that helps a server is what its settings name, or its options at the start, alone or first
// in a list; else its usual one.
func TestHelperThatIsConfigured(t *testing.T) {
	for _, c := range []struct{ settings, options, want string }{
		{"", "", "usual"},
		{`{"a":{"path":""}}`, `{"b":1}`, "usual"},
		{`{"a":{"b":{"path":"/opt/x"}}}`, `{"path":"/opt/y"}`, "/opt/x"},
		{`{"a":1}`, `{"path":["/opt/y","run"]}`, "/opt/y"},
		{`{"path":[]}`, `[]`, "usual"},
	} {
		h := Helper{Program: "usual", Setting: "path"}
		if got := h.Named(&Definition{Settings: []byte(c.settings), InitializationOptions: []byte(c.options)}); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.settings, c.options, got, c.want)
		}
	}
}
