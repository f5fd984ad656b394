package ui

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/legible"
)

// A View is what one request sees of a workspace.
type View struct {
	Caller api.Caller
	// Version is that of this program.
	Version string
	// Trail is the evidence, nil if none is shown; Untold then says why.
	Trail  Trail
	Untold string
}

// A Trail is the evidence as the page shows it. It is safe for concurrent use.
type Trail interface {
	// Last returns the newest records after one with a number, the oldest first, and at most n.
	Last(after uint64, n int) ([]Record, error)
	// Listen calls grown when there may be new records, until ctx ends. It fails if that cannot be noticed.
	Listen(ctx context.Context, grown func()) error
	// Verify checks the whole log, unless it is larger than limit in bytes; 0 is no limit.
	Verify(limit int64) (Verification, error)
}

// A Record is one of the evidence, as text.
type Record struct {
	Seq    uint64    `json:"seq"`
	Time   time.Time `json:"time"`
	Event  string    `json:"event"`
	Client string    `json:"client,omitempty"`
	Text   string    `json:"text"`
}

// A Verification says whether the evidence is as it was written.
type Verification struct {
	// TooLong says that nothing was checked, because the log is so large.
	TooLong bool `json:"too_long,omitempty"`
	// Records is how many there are, and Last the number of the last.
	Records uint64 `json:"records"`
	Last    uint64 `json:"last"`
	// Problems are what is wrong, Notes what is known to be missing: the first ones of each.
	Problems []string  `json:"problems,omitempty"`
	Notes    []string  `json:"notes,omitempty"`
	Checked  time.Time `json:"checked"`
}

// Serve answers a request of the page at /ui/events or /ui/verify. The stream ends with the context of the request. What goes with
// the view's calls is in there, too.
func (v *View) Serve(w http.ResponseWriter, r *http.Request) {
	r = r.WithContext(api.Own(r.Context()))
	rest, _ := local(r.URL.Path)
	switch {
	case rest == eventsPath && r.Method == http.MethodGet:
		v.stream(w, r)
	case rest == verifyPath && r.Method == http.MethodPost:
		v.verify(w)
	default:
		problem(w, http.StatusNotFound, "the page has nothing there")
	}
}

func (v *View) verify(w http.ResponseWriter) {
	if v.Trail == nil {
		problem(w, http.StatusForbidden, v.Untold)
		return
	}
	checked, err := v.Trail.Verify(0)
	if err != nil {
		problem(w, http.StatusInternalServerError, err.Error())
		return
	}
	answer(w, http.StatusOK, checked)
}

// answer writes a value as JSON in which everything is seen.
func answer[T any](w http.ResponseWriter, status int, value T) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = legible.Encode(w, value, "") // who does not read learns nothing
}

func problem(w http.ResponseWriter, status int, why string) {
	answer(w, status, struct {
		Error string `json:"error"`
	}{why})
}

// A feed writes the events of one stream. It is safe for concurrent use.
type feed struct {
	mu sync.Mutex // serializes writes to to
	to http.ResponseWriter
}

// send writes an event. It fails if the page has gone.
func send[T any](f *feed, event string, value T) error {
	var b bytes.Buffer
	b.WriteString("event: " + event + "\ndata: ")
	if err := legible.Encode(&b, value, ""); err != nil {
		return err
	}
	b.WriteString("\n") // Encode ends the line of the data
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.to.Write(b.Bytes()); err != nil {
		return err
	}
	return http.NewResponseController(f.to).Flush()
}

// A hello is the first event of a stream.
type hello struct {
	Version string `json:"version"`
	Root    string `json:"root"`
	// Untold says why the evidence is not shown, "" if it is.
	Untold string `json:"untold,omitempty"`
}

// A trouble is why a part of the page shows nothing, or nothing more.
type trouble struct {
	Part    string `json:"part"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func (v *View) stream(w http.ResponseWriter, r *http.Request) {
	ctx, end := context.WithCancel(r.Context())
	status, err := api.Status.Do(ctx, v.Caller, api.StatusRequest{Scope: "running"})
	if err != nil {
		end()
		problem(w, http.StatusBadGateway, err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	f := &follower{View: v, feed: &feed{to: w}, status: make(chan struct{}, 1), trail: make(chan struct{}, 1)}
	if err := send(f.feed, "hello", hello{v.Version, status.Root, v.Untold}); err != nil {
		end()
		return
	}
	parts := []struct {
		name string
		run  func(context.Context) error
	}{
		{"servers", f.followServers},
		{"diagnostics", f.followDiagnostics},
		{"files", f.followFiles},
		{"sessions", f.followSessions},
		{"evidence", f.followTrail},
		{"evidence", f.listenToTrail},
	}
	var following guard.Group
	for _, part := range parts {
		following.Go(func() {
			err := guard.Do(func() error { return part.run(ctx) })
			if err != nil && ctx.Err() == nil && f.tell(part.name, err) != nil {
				end() // the page begins anew
			}
		})
	}
	<-ctx.Done()
	end()
	following.Wait()
}
