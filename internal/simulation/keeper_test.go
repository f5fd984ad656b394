package simulation

import (
	"errors"
	"strings"
	"testing"
	"time"

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
