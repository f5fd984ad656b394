package diagnostics

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// What is published of the files as another system has them does not take back what was said of them
// here, until the server is done with both: then an error that is there alone is no longer one here,
// whether the file was asked about or not, and one that is on both is one here.
func TestErrorsOnAnotherSystem(t *testing.T) {
	for _, c := range []struct {
		name    string
		asked   bool // about the other file, after the first check
		now     string
		publish []string // meanwhile, and before the server is done
		want    string
	}{
		{"it is here still", false, "e", []string{"e [windows]", "e"}, "new , fixed "},
		{"it is there alone", false, "", []string{"e [windows]", "e [windows]"}, "new e [windows], fixed e"},
		{"it is here still, and was asked about", true, "e", []string{"e [windows,arm64]", "e"}, "new , fixed "},
		{"it is there alone, and was asked about", true, "", []string{"e [windows]", "e [windows]"}, "new e [windows], fixed e"},
		{"it ends like that here", false, "e [0]", []string{"e [0]", "e [0]"}, "new e [0], fixed e"},
	} {
		inBubble(t, func(t *testing.T, collector *Collector) {
			d := only(registry.DiagnosisCommand)
			d.FileStrategies, d.AnnouncePull, d.ClosedFiles = []registry.Strategy{registry.Pull}, true, registry.ClosedPushes
			f := newFake(collector, d)
			f.identifiers = []string{""}
			now, publish := "e", []string{"e"}
			f.pull = func(_ context.Context, path, _, _ string) (report protocol.Report, _ error) {
				if path == here("/w/user") && now != "" {
					report.Items = errorsOf(now)
				}
				return report, nil
			}
			f.command = func(_ context.Context, path string) ([]protocol.Diagnostic, error) {
				f.push(path, -1)
				f.push(here("/w/user"), -1, publish[len(publish)-1])
				return nil, nil
			}
			checkAll(t, collector, f.file(here("/w/own"), "1"))
			if c.asked {
				user := f.dependant(here("/w/user"), "x")
				user.Narrow = true
				check(t, collector, user)
			}
			f.push(here("/w/user"), -1, c.publish[0])
			now, publish = c.now, c.publish
			report := checkAll(t, collector, f.file(here("/w/own"), "2"))
			var unseen, fixed string
			for _, o := range report.Others {
				unseen, fixed = messages(o.New), messages(o.Fixed)
			}
			if diff := cmp.Diff(c.want, "new "+unseen+", fixed "+fixed); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.name, diff)
			}
		})
	}
}

// Of a file whose last answer differs from what was published, and about which the server refuses
// to answer anew, what was published counts.
func TestRefusalLeavesWhatWasPublished(t *testing.T) {
	inBubble(t, func(t *testing.T, collector *Collector) {
		d := only(registry.DiagnosisCommand)
		d.FileStrategies, d.AnnouncePull, d.ClosedFiles = []registry.Strategy{registry.Pull}, true, registry.ClosedPushes
		f := newFake(collector, d)
		f.identifiers = []string{""}
		refuses := false
		f.pull = func(_ context.Context, path, _, _ string) (report protocol.Report, _ error) {
			switch {
			case path != here("/w/user"):
			case refuses:
				return report, &jsonrpc.ResponseError{Message: "no package"}
			default:
				report.Items = errorsOf("answered")
			}
			return report, nil
		}
		f.command = func(_ context.Context, path string) ([]protocol.Diagnostic, error) {
			f.push(path, -1)
			return nil, nil
		}
		f.push(here("/w/user"), -1, "published")
		checkAll(t, collector, f.file(here("/w/own"), "1"))
		user := f.dependant(here("/w/user"), "x")
		user.Narrow = true
		check(t, collector, user)
		refuses = true
		report := checkAll(t, collector, f.file(here("/w/own"), "2"))
		var got []string
		for _, o := range report.Others {
			got = append(got, "new "+messages(o.New)+", fixed "+messages(o.Fixed))
		}
		if diff := cmp.Diff([]string{"new published, fixed answered"}, got); diff != "" {
			t.Error(diff)
		}
	})
}
