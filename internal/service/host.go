package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/remote"
	"github.com/lspine/lspine/internal/result"
)

// A Host serves the program that embeds lspine. Its methods lsp/... never fail because of a
// language server. Each operation of the catalog is a method lspine/OPERATION, whose errors say
// what went wrong. Set the fields before calling [Host.Serve], and do not change them afterwards.
type Host struct {
	Caller api.Caller
	// Root is the workspace root as the host spells it.
	Root string
	// Relative makes lsp/diagnostics return paths relative to the root.
	Relative bool
	// Asks reports that the host answers lspine/ask: it puts the policy's questions to its user.
	Asks bool
	// FiveClasses reports that the host knows five classes of verdicts. Otherwise it gets
	// lsp_unavailable for what is unknown.
	FiveClasses bool
	// End stops the language servers. lsp/shutdown calls it.
	End func(context.Context)
	// Log gets what the methods lsp/... do not report; nil discards it.
	Log *slog.Logger
}

// readyMethod is the notification that the service is ready for requests.
const readyMethod = "lsp/ready"

// Serve sends lsp/ready, and then answers requests until the stream or ctx ends, or the host shuts
// the service down. It returns when no call is running any more, and closes the stream. It is not
// an error if the host closes the connection.
func (h *Host) Serve(ctx context.Context, stream io.ReadWriteCloser) error {
	talk := &conversation{host: h, log: h.Log}
	if talk.log == nil {
		talk.log = slog.New(slog.DiscardHandler)
	}
	talk.ctx, talk.end = context.WithCancel(ctx)
	defer talk.watching.Wait()
	defer talk.end()
	gate := &gated{stream, make(chan struct{})}
	c := jsonrpc.New(gate, requestsAlone{}, jsonrpc.Options{
		Server:  talk,
		Dropped: func(reason string) { talk.log.Warn("a message was skipped", "reason", reason) },
	})
	defer context.AfterFunc(ctx, func() { _ = c.Close() })() // ends what Serve waits for
	err := c.Notify(readyMethod, json.RawMessage("{}"))
	if err == nil {
		err = c.Flush()
	}
	close(gate.open)
	if talk.log.Enabled(ctx, slog.LevelDebug) {
		talk.watching.Go(talk.logServers)
	}
	if err != nil {
		_ = c.Close()
		return nil // the host is gone
	}
	<-c.Done()
	if err := c.Err(); ctx.Err() == nil && err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

// A gated stream blocks reads until it is opened.
type gated struct {
	io.ReadWriteCloser
	open chan struct{}
}

func (g *gated) Read(b []byte) (int, error) {
	<-g.open
	return g.ReadWriteCloser.Read(b)
}

// A conversation is the connection to one host.
type conversation struct {
	host *Host
	log  *slog.Logger

	// ctx ends with the conversation; watching runs its subscriptions.
	ctx      context.Context
	end      context.CancelFunc
	watching guard.Group

	mu         sync.Mutex
	subscribed []string // topics
}

// operationPrefix is the prefix of methods that are operations of the catalog.
const operationPrefix = "lspine/"

// Serve implements [jsonrpc.Server].
func (t *conversation) Serve(ctx context.Context, c *jsonrpc.Conn, method string, params json.RawMessage) (any, error) {
	begun := time.Now()
	answer, err := t.answer(asService(ctx, method), c, method, params)
	if err != nil {
		t.log.Info("request", "method", method, "error", err, "ms", time.Since(begun).Milliseconds())
		return nil, t.coded(err)
	}
	t.log.Info("request", "method", method, "ms", time.Since(begun).Milliseconds())
	return answer, nil
}

func (t *conversation) answer(ctx context.Context, c *jsonrpc.Conn, method string, params json.RawMessage) (any, error) {
	ctx = t.asking(ctx, c, method, params)
	switch method {
	case "lsp/checkFile":
		return t.checkFile(ctx, params)
	case "lsp/diagnostics":
		return t.known(ctx, api.DiagnosticsRequest{})
	case "lsp/diagnosticsAfter":
		return t.diagnosticsAfter(ctx, params)
	case "lsp/getDiagnosticEpoch":
		return t.epoch(ctx)
	case "lsp/status":
		return t.status(ctx)
	case "lsp/shutdown":
		t.end() // so that no subscription sends anything more
		t.logFigures(ctx)
		if t.host.End != nil {
			t.host.End(ctx)
		}
		return jsonrpc.Last{}, nil
	case "lspine/subscribe":
		return t.subscribe(ctx, c, params)
	}
	if name, ok := strings.CutPrefix(method, operationPrefix); ok {
		return t.operation(ctx, name, params)
	}
	return nil, &methodError{method}
}

// A methodError says that a method does not exist.
type methodError struct{ method string }

func (e *methodError) Error() string { return "method not found: " + e.method }

// Kind returns result.Unsupported.
func (e *methodError) Kind() result.Kind { return result.Unsupported }

// coded converts an error to an error response.
func (t *conversation) coded(err error) error {
	var method *methodError
	var operation *api.UnknownOperationError
	switch of := result.ErrorOf(err); {
	case errors.As(err, &method), errors.As(err, &operation):
		return remote.Failure(jsonrpc.CodeMethodNotFound, err)
	case of.Kind == result.Argument:
		return remote.Failure(jsonrpc.CodeInvalidParams, err)
	}
	return remote.Failure(remote.CodeFailed, err)
}

// operation runs an operation of the catalog.
func (t *conversation) operation(ctx context.Context, name string, params json.RawMessage) (any, error) {
	op, known := remote.Operations()[name]
	if !known {
		return nil, &methodError{operationPrefix + name}
	}
	if len(params) == 0 || string(params) == "[]" || string(params) == "[null]" {
		params = json.RawMessage("{}")
	}
	answer := op.New()
	if err := t.caller(ctx).Call(ctx, name, params, answer); err != nil {
		return nil, err
	}
	if t.host.FiveClasses {
		result.InFiveClasses(answer)
	}
	return answer, nil
}

// asService returns a context that identifies this front to the policy, with the client if it has a name, and the method to the evidence.
func asService(ctx context.Context, method string) context.Context {
	with := api.CallOf(ctx)
	with.Tool = method
	if with.Client = "service/" + strings.ReplaceAll(with.Client, "/", "-"); with.Client == "service/" {
		with.Client = "service"
	}
	return with.In(ctx)
}

// read decodes params, which must be an object.
func read(params json.RawMessage, into any) error {
	err := json.Unmarshal(params, into)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.Field != "":
		return &paramError{wrong.Field, "must be a " + kindOf(wrong)}
	}
	return &paramError{"params", "must be an object"}
}

func kindOf(wrong *json.UnmarshalTypeError) string {
	switch wrong.Type.String() {
	case "string", "*string":
		return "string"
	case "[]string":
		return "list of strings"
	}
	return "number"
}

// A paramError says which field of params is wrong.
type paramError struct{ field, reason string }

func (e *paramError) Error() string { return e.field + " " + e.reason }

// Kind returns result.Argument.
func (e *paramError) Kind() result.Kind { return result.Argument }

// Data returns the field and the reason.
func (e *paramError) Data() result.Data { return result.Data{Argument: e.field, Reason: e.reason} }

// checkFile answers lsp/checkFile: the diagnostics of one file. If something fails, the answer is
// an empty list, except if the request is invalid, the host canceled it, or the policy denies it.
func (t *conversation) checkFile(ctx context.Context, params json.RawMessage) (any, error) {
	var asked struct {
		FilePath string  `json:"filePath"`
		Text     *string `json:"text"`
	}
	if err := read(params, &asked); err != nil {
		return nil, err
	}
	if asked.FilePath == "" {
		return nil, &paramError{"filePath", "must be a non-empty string"}
	}
	path := asked.FilePath
	if !filepath.IsAbs(path) {
		path = filepath.Join(t.host.Root, path)
	}
	none := []Diagnostic{}
	request := api.CheckRequest{Files: []string{path}, Baseline: api.BaselineNone, MaxBytes: -1}
	if asked.Text != nil {
		request.Contents = map[string]string{path: *asked.Text}
	} else if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return none, nil // a kind of file that has no diagnostics
	}
	check, err := api.Check.Do(ctx, t.caller(ctx), request)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if denied(err) {
		return nil, err
	}
	if err != nil || len(check.Files) != 1 {
		t.log.Info("checkFile", "file", path, "error", err)
		return none, nil
	}
	f := &check.Files[0]
	t.log.Debug("checkFile", "file", f.Path, "verdict", f.Verdict, "diagnostics", len(f.Diagnostics), "answers", freshness(f))
	return diagnosticsOf(f), nil
}

// denied reports whether the user's policy denies a call, which must not look like a clean file.
func denied(err error) bool {
	of := result.ErrorOf(err)
	return of != nil && of.Kind == result.Denied
}

// freshness says briefly how far the answer of each server can be relied on.
func freshness(f *result.File) string {
	var words []string
	for _, a := range f.Servers {
		words = append(words, fmt.Sprintf("%s:%s:%dms", a.Server, a.Freshness, a.WaitedMS))
	}
	return strings.Join(words, " ")
}

// known answers lsp/diagnostics: the current diagnostics of all files that have any. If something
// fails, the answer is an empty object, except if the call is not allowed.
func (t *conversation) known(ctx context.Context, request api.DiagnosticsRequest) (any, error) {
	request.Refresh, request.MaxBytes = true, -1
	files := make(map[string][]Diagnostic) // JSON encodes its keys in ascending order
	check, err := api.Diagnostics.Do(ctx, t.caller(ctx), request)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if denied(err) {
		return nil, err
	}
	if err != nil {
		t.log.Info("diagnostics", "error", err)
		return files, nil
	}
	for i := range check.Files {
		f := &check.Files[i]
		if len(f.Diagnostics) == 0 {
			continue
		}
		key := f.Path
		if !t.host.Relative && !filepath.IsAbs(key) {
			key = filepath.Join(t.host.Root, filepath.FromSlash(key))
		}
		files[key] = diagnosticsOf(f)
	}
	return files, nil
}

// defaultWait is how long lsp/diagnosticsAfter waits by default, in milliseconds; maxWait is the
// maximum.
const (
	defaultWait = 250
	maxWait     = 3_600_000
)

func (t *conversation) diagnosticsAfter(ctx context.Context, params json.RawMessage) (any, error) {
	var asked struct {
		AfterEpoch *float64 `json:"afterEpoch"`
		WaitMS     *float64 `json:"waitMs"`
	}
	if err := read(params, &asked); err != nil {
		return nil, err
	}
	whole := func(n float64) bool { return n >= 0 && n <= math.MaxInt32 && n == math.Trunc(n) }
	if asked.AfterEpoch == nil || !whole(*asked.AfterEpoch) {
		return nil, &paramError{"afterEpoch", "must be a whole number, from 0"}
	}
	wait := float64(defaultWait)
	if asked.WaitMS != nil {
		wait = *asked.WaitMS
	}
	if !(wait >= 0) {
		return nil, &paramError{"waitMs", "must be a number of milliseconds, from 0"}
	}
	return t.known(ctx, api.DiagnosticsRequest{
		AfterEpoch: uint64(*asked.AfterEpoch), TimeoutMS: max(1, int(min(wait, maxWait))),
	})
}

// epoch answers lsp/getDiagnosticEpoch.
func (t *conversation) epoch(ctx context.Context) (any, error) {
	check, err := api.Diagnostics.Do(ctx, t.caller(ctx), api.DiagnosticsRequest{})
	if err != nil {
		return nil, err
	}
	return check.Epoch, nil
}

// status answers lsp/status: every known server, started or not.
func (t *conversation) status(ctx context.Context) (any, error) {
	status, err := api.Status.Do(ctx, t.caller(ctx), api.StatusRequest{Scope: "all"})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		t.log.Info("status", "error", err)
		return []ServerStatus{}, nil
	}
	if t.host.FiveClasses {
		result.InFiveClasses(&status)
	}
	return statusesOf(&status), nil
}
