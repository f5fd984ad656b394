package extension

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

func TestMain(m *testing.M) { lsptest.Main(m) }

// registering runs f with no extension registered before and after, and returns what it panicked with.
func registering(f func()) (panicked any) {
	registered.factories = nil
	defer func() {
		panicked = recover()
		registered.factories = nil
	}()
	f()
	return nil
}

var run = func(context.Context, *Call) (Answer, error) { return Answer{}, nil }

// A factory is not called when it is registered, and once for each time that the extensions are wanted.
func TestFactoriesAreCalledWhenWanted(t *testing.T) {
	made := 0
	if panicked := registering(func() {
		Register("haskell", func() Extension { made++; return Extension{Tools: []Tool{{Name: "holes", Run: run}}} })
		if made != 0 {
			t.Error("the factory was called early")
		}
		for range 2 {
			set, err := All()
			if diff := cmp.Diff([]string{"haskell"}, set.Languages()); diff != "" || err != nil {
				t.Error(diff, err)
			}
			if set.Of("src/Main.hs").Tool("holes") == nil || set.Of("src/Main.hs").Tool("other") != nil || set.Of("main.go").Tool("holes") != nil || set.Of("").Tool("holes") != nil {
				t.Error("an extension is not that of its files alone")
			}
		}
	}); panicked != nil || made != 2 {
		t.Errorf("%v; made %d times", panicked, made)
	}
}

// A mistake of the program ends it where it is made, or where the extension is first wanted, and is named.
func TestMistakesAreNamed(t *testing.T) {
	empty := func() Extension { return Extension{} }
	for want, f := range map[string]func(){
		`no language has the id "hascal"`: func() { Register("hascal", empty) },
		`"go" has one already`:            func() { Register("go", empty); Register("go", empty) },
		`its factory is nil`:              func() { Register("go", nil) },
	} {
		if text, _ := registering(f).(string); !strings.Contains(text, want) {
			t.Errorf("%q, want %q", text, want)
		}
	}
	for want, x := range map[string]Extension{
		`extension of go: "Big" is no name, or is used twice`:                                   {Tools: []Tool{{Name: "Big", Run: run}}},
		`extension of go: "a" is no name, or is used twice`:                                     {Tools: []Tool{{Name: "a", Run: run}, {Name: "b", Run: run}, {Name: "a", Run: run}}},
		`extension of go: tool "a" has no Run, or an Input that is no JSON schema of an object`: {Tools: []Tool{{Name: "a", Run: run, Input: []byte("3")}}},
		`extension of go: resource "a" has no Read`:                                             {Resources: []Resource{{Name: "a"}}},
		`extension of go: subscription "a" has no Watch`:                                        {Subscriptions: []Subscription{{Name: "a"}}},
		`extension of go: prompt "a" has no Text`:                                               {Prompts: []Prompt{{Name: "a"}}},
	} {
		if panicked := registering(func() {
			Register("go", func() Extension { return x })
			if _, err := All(); err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		}); panicked != nil {
			t.Error(panicked)
		}
	}
}
