package lsp_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A server that does not find a module of a linked package is told once in each state of the texts
// that the package's manifest changed, and asked again. Of modules that are no part of a linked
// package, and of other errors, it is believed.
func TestLostModulesAreLookedForAgain(t *testing.T) {
	missing := func(code int, format string, module any) string {
		return fmt.Sprintf(`{"range":`+wireX+`,"severity":1,"code":%d,"message":%q}`, code, fmt.Sprintf(format, module))
	}
	cannotFind := func(module string) string {
		return missing(2307, "Cannot find module '%s' or its corresponding type declarations.", module)
	}
	for name, c := range map[string]struct {
		errors []string
		want   []string // the manifests that the server is told of
	}{
		"linked":                       {[]string{cannotFind("@shop/core/money")}, []string{"core/package.json"}},
		"its main module":              {[]string{cannotFind("plain")}, []string{"plain/package.json"}},
		"a deep module":                {[]string{cannotFind("plain/src/deep")}, []string{"plain/package.json"}},
		"in two packages":              {[]string{cannotFind("plain"), cannotFind("@shop/core"), cannotFind("plain/x")}, []string{"plain/package.json", "core/package.json"}},
		"imported for what it does":    {[]string{missing(2882, "Cannot find module or type declarations for side-effect import of '%s'.", "plain")}, []string{"plain/package.json"}},
		"linked within a node_modules": {[]string{cannotFind("installed")}, nil},
		"not there":                    {[]string{cannotFind("absent"), cannotFind("@shop/absent")}, nil},
		"a path":                       {[]string{cannotFind("./plain"), cannotFind("../plain"), cannotFind("/plain"), cannotFind(".."), cannotFind("@shop")}, nil},
		"another error":                {[]string{missing(2305, "Cannot find module '%s'", "plain"), missing(2307, "Module '%s' is odd", "plain")}, nil},
		"no error":                     {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			answer := `{"kind":"full","items":[` + strings.Join(c.errors, ",") + `]}`
			p := start(t, lsptest.Script{NoWatch: true, Capabilities: raw(everything), Rules: []lsptest.Rule{
				lsptest.OnNth("textDocument/diagnostic", 1, lsptest.Reply(answer)),
				lsptest.OnNth("textDocument/diagnostic", 2, lsptest.Reply(`{"kind":"full","items":[`+cannotFind("plain")+`]}`)),
			}}, func(d *registry.Definition, _ *lsp.Options) { d.Quirks = []registry.Quirk{registry.LosesReplaced} })
			for name, target := range map[string]string{"@shop/core": "../../core", "plain": "../plain", "installed": ".store/node_modules/installed"} {
				link := p.path("node_modules/" + name)
				if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o755), os.MkdirAll(filepath.Join(filepath.Dir(link), target), 0o755), os.Symlink(target, link)); err != nil {
					t.Fatal(err)
				}
			}
			p.sync("main.toy", wide)
			pull := func() int {
				report, err := p.Pull(p.context(), p.path("main.toy"), "", "")
				if err != nil {
					t.Fatal(err)
				}
				return len(report.Items)
			}
			told := func() (manifests []string) {
				for _, e := range p.entries("notification", "workspace/didChangeWatchedFiles") {
					manifests = append(manifests, string(e.Params))
				}
				return manifests
			}
			first := pull()
			want := len(c.errors)
			var changes []string
			if c.want != nil {
				want = 1 // the second answer
				for _, m := range c.want {
					changes = append(changes, fmt.Sprintf(`{"uri":%q,"type":2}`, protocol.URIFromPath(p.path(m))))
				}
				changes = []string{`{"changes":[` + strings.Join(changes, ",") + `]}`}
			}
			same(t, want, first, nil)
			if diff := cmp.Diff(changes, told()); diff != "" {
				t.Errorf("told (-want +got):\n%s", diff)
			}
		})
	}
}

// What a server still does not find after it looked again, it is asked about anew only when
// something has changed; and one that loses nothing is not told of manifests.
func TestModulesThatAreMissing(t *testing.T) {
	for _, loses := range []bool{true, false} {
		t.Run(fmt.Sprint(loses), func(t *testing.T) {
			const answer = `{"kind":"full","items":[{"range":` + wireX + `,"severity":1,"code":2307,"message":"Cannot find module 'plain'"}]}`
			p := start(t, lsptest.Script{NoWatch: true, Capabilities: raw(everything), Rules: []lsptest.Rule{
				lsptest.On("textDocument/diagnostic", lsptest.Reply(answer)),
			}}, func(d *registry.Definition, _ *lsp.Options) {
				if loses {
					d.Quirks = []registry.Quirk{registry.LosesReplaced}
				}
			})
			if err := errors.Join(os.MkdirAll(p.path("node_modules"), 0o755), os.Mkdir(p.path("plain"), 0o755), os.Symlink("../plain", p.path("node_modules/plain"))); err != nil {
				t.Fatal(err)
			}
			counts := func() [2]int {
				return [2]int{len(p.entries("notification", "workspace/didChangeWatchedFiles")), len(p.entries("request", "textDocument/diagnostic"))}
			}
			var got [][2]int
			for _, text := range []string{wide, wide, wide + "\n"} {
				p.sync("main.toy", text)
				report, err := p.Pull(p.context(), p.path("main.toy"), "", "")
				if err != nil || len(report.Items) != 1 {
					t.Fatalf("%+v, %v", report, err)
				}
				got = append(got, counts())
			}
			want := [][2]int{{1, 2}, {1, 3}, {2, 5}}
			if !loses {
				want = [][2]int{{0, 1}, {0, 2}, {0, 3}}
			}
			same(t, want, got, nil)
		})
	}
}

// The native server of TypeScript loses a module of a linked package if it looks for it while the
// file is replaced (it takes "money.ts (deleted)" for the file's path), and does not find it again
// on its own. A pull finds it.
func TestModuleThatIsReplacedWhileItIsLookedFor(t *testing.T) {
	root := lsptest.Workspace(t, `
-- packages/core/package.json --
{"name": "@shop/core", "version": "1.0.0", "type": "module", "exports": {".": "./src/index.ts", "./money": "./src/money.ts"}}
-- packages/core/src/index.ts --
export * from "./money";
-- packages/core/src/money.ts --
export const rate = 7;
-- packages/api/tsconfig.json --
{"compilerOptions": {"strict": true, "noEmit": true, "module": "esnext", "moduleResolution": "bundler", "types": []}, "include": ["src"]}
-- packages/api/src/api.ts --
import { rate } from "@shop/core/money";

export const total = rate;
`)
	link := filepath.Join(root, "node_modules", "@shop", "core")
	if err := errors.Join(os.MkdirAll(filepath.Dir(link), 0o755), os.Symlink("../../packages/core", link)); err != nil {
		t.Fatal(err)
	}
	d := sitIn(t, "typescript", root, "packages/api/src/api.ts")
	specifier := d.at("@shop", 1)
	text, _ := d.read(d.path)

	// One replaces the file all the time, until the server has lost it.
	module := filepath.Join(root, "packages", "core", "src", "money.ts")
	done := make(chan struct{})
	var replacing sync.WaitGroup
	replacing.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				lsptest.WriteFile(t, module+".new", "export const rate = 7;\n")
				if err := os.Rename(module+".new", module); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	const rounds = 1500
	lost := false
	for n := 0; n < rounds && !lost; n++ {
		// Another import makes the server look for all modules anew.
		changed := fmt.Sprintf("%simport * as other%d from %q;\nother%d;\n", text, n, []string{"@shop/core", "@shop/core/money"}[n%2], n)
		if _, err := d.Sync(d.path, []byte(changed)); err != nil {
			t.Fatal(err)
		}
		found, err := d.Locations(d.ctx, "textDocument/definition", d.path, specifier)
		if err != nil {
			t.Fatal(err)
		}
		lost = len(found) == 0
	}
	close(done)
	replacing.Wait()
	t.Logf("%s: lost: %v", runtime.GOOS, lost) // elsewhere, paths are found in other ways
	report, err := d.Pull(d.ctx, d.path, "", "")
	if err != nil || len(report.Items) != 0 {
		t.Errorf("%+v, %v", report.Items, err)
	}
}
