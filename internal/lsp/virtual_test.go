package lsp_test

import (
	"archive/zip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// The text of what is no file comes from the server, by its own request, or from an archive; else the error says why there is none.
func TestVirtualText(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "a b.jar")
	file, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(file)
	for name, text := range map[string]string{"in/a.txt": "a\n", "in/ü.txt": "u\n"} {
		part, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	jar := string(protocol.URIFromPath(archive))
	p := start(t, lsptest.Script{}, func(d *registry.Definition, _ *lsp.Options) {
		d.Virtual = []registry.Virtual{{Scheme: "toy", Method: "toy/none", Params: json.RawMessage(`{"uri":"${uri}"}`)}}
	})
	for uri, want := range map[string]string{
		"zipfile:" + strings.TrimPrefix(jar, "file:") + "::in/a.txt": "a\n",
		"jar:" + jar + "!/in/%C3%BC.txt":                             "u\n",
		"zip:" + strings.TrimPrefix(jar, "file:") + "!/in/a.txt":     "a\n",
		"jar:" + jar + "!/in/gone.txt":                               "error",
		"jar:" + jar + ".gone!/in/a.txt":                             "error",
		"toy://a":                                                    "error",
		"other://a":                                                  "error",
	} {
		text, err := p.VirtualText(t.Context(), protocol.DocumentURI(uri))
		got := string(text)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s: %q, %v; want %q", uri, got, err, want)
		}
	}
}
