package simulation

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/edit"
)

// A session that nobody uses for an hour ends, one that is used does not; who asks for it later
// learns why it is gone.
func TestSessionsEndThatNobodyUses(t *testing.T) {
	now := time.Now()
	k := NewKeeper(func() time.Time { return now })
	make := func() *session {
		s, err := k.create("me", "", &edit.Plan{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	idle, used, busy := make(), make(), make()
	release, err := k.use(t.Context(), busy)
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(40 * time.Minute)
	done, err := k.use(t.Context(), used)
	if err != nil {
		t.Fatal(err)
	}
	done()
	now = now.Add(20 * time.Minute)
	var unknown *UnknownSessionError
	if _, err := k.find("me", idle.id); !errors.As(err, &unknown) || !strings.Contains(err.Error(), "nobody used it for 60 minutes") {
		t.Errorf("idle: %v", err)
	}
	for name, s := range map[string]*session{"used": used, "busy": busy} {
		if _, err := k.find("me", s.id); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	release()
	if list := k.list("me"); len(list) != 2 || list[0].IdleMS != (20*time.Minute).Milliseconds() || list[1].IdleMS != 0 {
		t.Errorf("%+v", list)
	}
}

// How a session ended is remembered for the last of them, of all owners together; not for ever.
func TestHowSessionsEndedIsForgotten(t *testing.T) {
	k := NewKeeper(time.Now)
	how := func(id string) string {
		_, err := k.find("me", id)
		var unknown *UnknownSessionError
		if !errors.As(err, &unknown) {
			t.Fatalf("%s: %v", id, err)
		}
		return unknown.How
	}
	got := make(map[string]string)
	for n := range maxEnded + 1 {
		s, err := k.create("me", "", &edit.Plan{})
		if err != nil {
			t.Fatal(err)
		}
		k.remove(s)
		if n == maxEnded-1 {
			got["the first, when it is remembered still"] = how("s1")
		}
	}
	got["the first"], got["the second"] = how("s1"), how("s2")
	const destroyed = "it was destroyed"
	want := map[string]string{"the first, when it is remembered still": destroyed, "the first": "", "the second": destroyed}
	if diff := cmp.Diff(want, got); diff != "" || len(k.ended) != maxEnded {
		t.Errorf("%d are remembered: %s", len(k.ended), diff)
	}
}
