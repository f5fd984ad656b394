package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/gate"
	"github.com/lspine/lspine/internal/ui"
)

func newUI(streams *Streams, g *global) *cobra.Command {
	port := 0
	cmd := &cobra.Command{
		Use:   "ui",
		Short: "Serve a page that shows servers, diagnostics, sessions and the evidence",
		Long: "ui serves a page for the workspace on 127.0.0.1, until it is interrupted, and\n" +
			"prints its address: servers and their states, diagnostics by file, how long\n" +
			"answers took, sessions and simulations, and the evidence, as they change. It\n" +
			"opens no browser. The address ends with a new token, which opens the page's data\n" +
			"as long as the command runs; browsers send it nowhere else.",
		Example: "  lspine ui\n  lspine ui --root ~/shop --port 4000",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return g.runUI(cmd.Context(), streams, port) },
	}
	cmd.Flags().IntVar(&port, "port", 0, "port to serve the page on; 0 chooses one")
	return cmd
}

func (g *global) runUI(ctx context.Context, streams *Streams, port int) (err error) {
	if port < 0 || port > 65535 {
		return &usageError{fmt.Sprintf("--port: %d is no port", port), "ports are 1 to 65535; 0 chooses one"}
	}
	root, err := g.resolveRoot(streams)
	if err != nil {
		return err
	}
	if why := tooWide(streams, root); why != "" && !fspath.IsCheckout(root) {
		return &usageError{fmt.Sprintf("%s is %s and no workspace", root, why), "run it inside of a checkout, or name one with --root"}
	}
	cfg, problems, err := g.loadConfig(streams, root)
	if err != nil {
		return err
	}
	level, err := logLevel(streams)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(streams.Err, &slog.HandlerOptions{Level: level}))
	listener, err := gate.Listen(ctx, netip.AddrFrom4([4]byte{127, 0, 0, 1}), port)
	if err != nil {
		return &usageError{"--port: " + err.Error(), "choose another port, or 0"}
	}
	defer func() { _ = listener.Close() }() // closed already, if it was served
	e, err := g.open(ctx, streams, root, cfg, problems, purpose{name: "ui", stays: true})
	if err != nil {
		return err
	}
	defer func() { err = errEnding(ctx, e, err) }()
	trail, untold := trailOf(cfg.Settings.EvidenceFile(streams.Environ))
	streaming, end := context.WithCancel(ctx)
	defer end()
	token := rand.Text()
	options := gate.Options{
		Tokens: gate.Single(token), Hosts: gate.NewHosts(listener.Addr(), nil), Log: log,
		IsStream: ui.IsStream, Route: ui.Route, Public: ui.Static,
	}
	fmt.Fprintf(streams.Out, "http://%s/ui#token=%s\n", listener.Addr(), token)
	fmt.Fprintln(streams.Err, "lspine: the page is served at this address until you press Ctrl-C")
	return gate.New(options).Serve(ctx, listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(api.Call{Client: "ui"}.In(r.Context()))
		defer cancel()
		defer context.AfterFunc(streaming, cancel)()
		(&ui.View{Caller: e, Version: ourVersion(), Trail: trail, Untold: untold}).Serve(w, r.WithContext(ctx))
	}), end)
}

// viewOf answers what the page asks about a workspace of an MCP server. The evidence is of all workspaces and clients, so only who has
// the one token, or needs none, sees it.
func viewOf(streams *Streams, g *global) func(http.ResponseWriter, *http.Request, api.Caller) {
	cfg, _ := g.readConfig(streams, "") // reported when an engine opens
	trail, untold := trailOf(cfg.Settings.EvidenceFile(streams.Environ))
	return func(w http.ResponseWriter, r *http.Request, caller api.Caller) {
		view := &ui.View{Caller: caller, Version: ourVersion(), Trail: trail, Untold: untold}
		with := api.CallOf(r.Context())
		with.Client = "ui"
		if c := gate.ClientOf(r.Context()); c != nil {
			with.Client += "/" + c.Name
			if !c.Sole {
				view.Trail, view.Untold = nil, "the evidence has what all clients did in all workspaces; it is shown to who runs the server"
			}
		}
		view.Serve(w, r.WithContext(with.In(r.Context())))
	}
}

// trailOf returns the evidence in a file for the page, or why there is none.
func trailOf(path string) (trail ui.Trail, untold string) {
	if path == "" {
		return nil, "no evidence is kept"
	}
	return &evidenceTrail{path: path}, ""
}

// An evidenceTrail is the evidence in a file, as the page shows it.
type evidenceTrail struct {
	path string
	// verifying is held while the whole log is read.
	verifying sync.Mutex
}

// Last implements [ui.Trail].
func (t *evidenceTrail) Last(after uint64, n int) (list []ui.Record, err error) {
	found, err := evidence.Last(t.path, after, n)
	for _, r := range found {
		list = append(list, ui.Record{Seq: r.Seq, Time: r.Time, Event: string(r.Event), Client: r.Client, Text: r.Summary()})
	}
	return list, err
}

// Listen implements [ui.Trail].
func (t *evidenceTrail) Listen(ctx context.Context, grown func()) error {
	dir := filepath.Dir(t.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	bell, err := disk.NewBell(dir)
	if err != nil {
		return err
	}
	defer func() { _ = bell.Close() }()
	for {
		if err := bell.Wait(ctx); err != nil {
			return err
		}
		grown()
	}
}

// maxFindings is how many problems and notes of a verification the page shows.
const maxFindings = 20

// Verify implements [ui.Trail].
func (t *evidenceTrail) Verify(limit int64) (ui.Verification, error) {
	t.verifying.Lock()
	defer t.verifying.Unlock()
	size, err := evidence.Size(t.path)
	if err != nil || limit > 0 && size > limit {
		return ui.Verification{TooLong: err == nil}, err
	}
	report, err := evidence.Verify(t.path)
	checked := ui.Verification{Records: report.Records, Last: report.Last, Checked: time.Now().UTC()}
	for _, p := range report.Problems[:min(len(report.Problems), maxFindings)] {
		checked.Problems = append(checked.Problems, p.String())
	}
	for _, p := range report.Notes[:min(len(report.Notes), maxFindings)] {
		checked.Notes = append(checked.Notes, p.String())
	}
	return checked, err
}

// eitherRoute returns the pattern that a path belongs to, as the first of the functions that knows it says.
func eitherRoute(routes ...func(string) string) func(string) string {
	return func(path string) (route string) {
		for _, of := range routes {
			route = cmp.Or(route, of(path))
		}
		return route
	}
}
