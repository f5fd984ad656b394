package diagnostics

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// About a file for whose language the server refuses pulls, the command is sent, and what was published before its
// answer counts, whether the file is asked about alone or with its users, and whether it is open; other files are pulled.
func TestFilesThatAreNotPulled(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		d := only(registry.DiagnosisCommand)
		d.FileStrategies, d.Unpulled = []registry.Strategy{registry.Pull}, []string{"list"}
		d.AnnouncePull, d.ClosedFiles = true, registry.ClosedPushes
		f := newFake(c, d)
		f.def.Languages = []registry.Language{{ID: "toy", Patterns: []string{".toy"}}, {ID: "list", Patterns: []string{"list.cfg"}}}
		f.identifiers = []string{""}
		var asked []string
		f.pull = func(_ context.Context, path, _, _ string) (report protocol.Report, _ error) {
			asked = append(asked, "pull "+filepath.Base(path))
			if strings.HasSuffix(path, ".cfg") {
				return report, &jsonrpc.ResponseError{Message: "not for this kind of file"}
			}
			report.Items = errorsOf("pulled")
			return report, nil
		}
		f.command = func(_ context.Context, path string) ([]protocol.Diagnostic, error) {
			asked = append(asked, "command "+filepath.Base(path))
			f.push(here("/w/list.cfg"), -1, "published")
			return nil, nil
		}
		narrow := f.file(here("/w/list.cfg"), "1")
		narrow.Narrow = true
		toy := f.file(here("/w/a.toy"), "1")
		toy.Narrow = true
		closed := f.dependant(here("/w/list.cfg"), "x")
		closed.Narrow = true
		var got []string
		for _, file := range []File{closed, narrow, f.file(here("/w/list.cfg"), "2"), toy} {
			asked = nil
			a, r := check(t, c, file)
			got = append(got, fmt.Sprintf("%s: %s %s", strings.Join(asked, ", "), a.Freshness, messages(r.Diagnostics)))
		}
		if diff := cmp.Diff([]string{
			"command list.cfg: fresh published",
			"command list.cfg: fresh published",
			"command list.cfg: fresh published",
			"pull a.toy: fresh pulled",
		}, got); diff != "" {
			t.Error(diff)
		}
	})
}
