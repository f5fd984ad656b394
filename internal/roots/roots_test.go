package roots

import (
	"testing"

	"github.com/lspine/lspine/internal/registry"
)

// A server that turns out to be another program keeps the way in which it shares a process:
// its key was made of that.
func TestAnotherProgramSharesAsBefore(t *testing.T) {
	d := registry.Definition{ID: "mine", Sharing: registry.TakesFolders}
	program := registry.Definition{ID: "toy", Sharing: registry.Connected}
	as := asProgram(d, program)
	if as.ID != "mine" || as.Program != "toy" || as.Sharing != registry.TakesFolders {
		t.Errorf("%+v", as)
	}
}

// What is added to a variable of the user stands beside what it has.
func TestVariablesAreAddedTo(t *testing.T) {
	added := []string{"A=1", "JDK_JAVA_OPTIONS=" + registry.JavaOptions + " -Dx"}
	for own, want := range map[string]string{"": "JDK_JAVA_OPTIONS= -Dx", "-Dy -Dz": "JDK_JAVA_OPTIONS=-Dy -Dz -Dx"} {
		f := open(t, "", Options{Servers: registry.Builtin(), Environ: []string{"JDK_JAVA_OPTIONS=" + own}})
		if got := f.withOwn(added); got[0] != "A=1" || got[1] != want {
			t.Errorf("with %q: %q", own, got)
		}
	}
}
