package diagnostics

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// What cargo did not compile it did not judge: that a check of the disk found nothing in the files of such a crate is no word on
// them, nor on what was wrong with them before.
func TestDiskCheckLeavesCratesOut(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newCompiler(t, c)
		p.def.Diagnostics.Disk.NamesCrates = true
		p.write(t, "m/Cargo.toml", "[package]\nname = \"m\"\n")
		p.write(t, "n/Cargo.toml", "[package]\nname = \"n\"\n")
		m, n := filepath.Join(p.root, "m/src/lib.rs"), filepath.Join(p.root, "n/src/lib.rs")
		var compiled, found []string
		p.disk = func(context.Context) error {
			later(20*ms, func() { p.progress("begin") })
			later(40*ms, func() {
				p.push(m, -1, found...)
				p.push(n, -1)
				for _, crate := range append(compiled, lsp.CargoEnded+" (lib)") {
					p.out.Progressed(protocol.ProgressEvent{Token: "1", Kind: "report", Message: crate})
				}
				p.progress("end")
			})
			return nil
		}
		for _, step := range []struct {
			path, text      string
			compiled, found []string
			want, says      string
		}{
			{m, "one", []string{"m (lib)", "n (lib)"}, nil, "fresh 1: ", ""},
			{m, "two", []string{"n (lib)"}, []string{"moved"}, "fresh 2: moved", ""},
			{m, "three", []string{"n (lib)"}, nil, "partial 3: ", "cargo did not check crate m; see what `cargo check` says; not counted, as it may come of that: line 1: quick three"},
			{m, "four", []string{lsp.CargoScript + "m (lib)", "n (lib)"}, nil, "partial 4: ", "cargo did not check crate m because its build script fails; not counted, as it may come of that: line 1: quick four"},
			{m, "five", []string{"n (lib)"}, []string{"moved"}, "fresh 5: moved", ""},
			{n, "six", []string{"n (lib)"}, nil, "fresh 1: ", ""},
		} {
			compiled, found = step.compiled, step.found
			lsptest.WriteFile(t, step.path, step.text)
			answer, _ := check(t, c, p.file(step.path, step.text))
			expect(t, said(answer), step.want)
			expect(t, answer.Reason, step.says)
		}
		found = []string{"moved"}
		p.disturb()
		_, r := check(t, c, p.write(t, "m/src/lib.rs", "five"))
		expect(t, listed(r.Remaining)+"|"+listed(r.New), "moved|")
	})
}
