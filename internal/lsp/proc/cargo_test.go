package proc

import (
	"strings"
	"testing"
)

// What stands for cargo tells of each crate of the workspace as if it were compiled anew, because rust-analyzer tells only of
// those, and leaves the rest as it is.
func TestWhatCargoTells(t *testing.T) {
	const fresh = `{"reason":"compiler-artifact","package_id":"path+file:///p#0.1.0","manifest_path":"/p/Cargo.toml","target":{"kind":["lib"],"name":"p"},"fresh":true}` + "\n"
	const library = `{"reason":"compiler-artifact","package_id":"registry+https://x#serde@1","manifest_path":"/s/Cargo.toml","target":{"kind":["lib"],"name":"serde"},"fresh":true}` + "\n"
	const end = `{"reason":"build-finished","success":false}` + "\n"
	var out strings.Builder
	last := retell(strings.NewReader(library+fresh+"no JSON\n"+end), &out)
	if want := library + strings.Replace(fresh, "true", "false", 1) + "no JSON\n" + end; out.String() != want {
		t.Errorf("passed on\n%s\nwant\n%s", out.String(), want)
	}
	if last == nil {
		t.Fatal("no crate of the workspace was seen")
	}
	out.Reset()
	last.tell(&out, CargoEnded)
	for _, part := range []string{`"reason":"compiler-artifact"`, `"name":"` + CargoEnded + `"`, `"kind":["lib"]`, `"fresh":false`, `"manifest_path":"/p/Cargo.toml"`} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%s does not have %s", out.String(), part)
		}
	}
	if last := retell(strings.NewReader(library+end), &out); last != nil {
		t.Errorf("%v is taken for a crate of the workspace", last)
	}
	const errors = "   Compiling base\nerror: failed to run custom build command for `base v0.1.0 (/p/base)`\nerror: other\n"
	out.Reset()
	if names := failedScripts(strings.NewReader(errors), &out); len(names) != 1 || names[0] != "base" || out.String() != errors {
		t.Errorf("build scripts %q failed, passed on %q", names, out.String())
	}
}

// The real cargo, and what it starts, do not run what stands for it.
func TestTheEnvironmentOfCargo(t *testing.T) {
	got := realEnviron([]string{"A=1", CargoVariable + "=/c", "CARGO=/self", "CARGO_HOME=/h", "CARGO_LOG=cargo::core::compiler::fingerprint=info"})
	if all := strings.Join(got, " "); all != "A=1 CARGO_HOME=/h" {
		t.Error(all)
	}
}
