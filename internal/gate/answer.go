package gate

import (
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// An answer is the response to one request. It sets the headers that every response has, when it is
// known which other ones there are, and limits how long a client may take to read: a response as a
// whole, a stream each part. It belongs to the goroutine of its request, as any ResponseWriter.
type answer struct {
	http.ResponseWriter
	control *http.ResponseController
	limit   time.Duration
	status  int // 0 until the headers are written
	stream  bool
}

func newAnswer(w http.ResponseWriter, limit time.Duration) *answer {
	a := &answer{ResponseWriter: w, control: http.NewResponseController(w), limit: limit}
	a.expect() // whatever an earlier request on the connection left
	return a
}

// expect has the client read what is written from now on in time.
func (a *answer) expect() { _ = a.control.SetWriteDeadline(time.Now().Add(a.limit)) } // in tests, there is no connection

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
		h := a.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store") // also instead of what others have set
		a.stream = strings.HasPrefix(h.Get("Content-Type"), "text/event-stream")
		a.expect()
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	if a.stream {
		a.expect()
	}
	return a.ResponseWriter.Write(p)
}

// FlushError sends what has been written. It fails if the client does not read it in time.
func (a *answer) FlushError() error {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	if a.stream {
		a.expect()
	}
	return a.control.Flush()
}

// Flush implements [http.Flusher].
func (a *answer) Flush() { _ = a.FlushError() } // the next Write fails

// Unwrap lets [http.ResponseController] do everything else.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// refuse answers a request with an error, as JSON.
func refuse(w http.ResponseWriter, status int, why string) {
	body, err := json.Marshal(struct {
		Error string `json:"error"`
	}{why})
	if err != nil {
		body = nil // strings always encode
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // who does not read learns nothing
}

// refuseFor refuses a request that may be repeated after some time.
func refuseFor(w http.ResponseWriter, status int, why string, after time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(after.Seconds())))))
	refuse(w, status, why)
}
