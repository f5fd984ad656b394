package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/mcpserver"
)

// evidenceGrace limits how long a command waits at its end for the last events to be written.
const evidenceGrace = 2 * time.Second

// openEvidence returns the log that the configuration names, nil if it names none. In the log,
// program describes this process.
func openEvidence(streams *Streams, cfg *config.Config, program string) *evidence.Log {
	return engine.OpenEvidence(cfg, streams.Environ, ourVersion(), program)
}

// closeEvidence writes the last events of a log and closes it, even if ctx is canceled.
func closeEvidence(ctx context.Context, log *evidence.Log) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), evidenceGrace)
	defer cancel()
	log.Close(ctx)
}

// evidenceFlags has the flags of the commands that read the log.
type evidenceFlags struct {
	*global
	streams *Streams
	json    bool
	since   string
	file    string
	against string
	last    int
}

func newEvidence(streams *Streams, g *global) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "evidence",
		Short: "Verify and read the log of what was requested, decided and changed",
		Long: "lspine keeps a log of what was requested, answered, decided and changed, in the\n" +
			"file set by \"evidence\" in your own configuration, LSPINE_EVIDENCE or --evidence\n" +
			"(off: none). Each record contains the hash of the one before it. Contents of\n" +
			"files are recorded only if \"evidenceContents\" is set, and nothing in the log is\n" +
			"sent anywhere.",
		Example: "  lspine evidence verify\n  lspine evidence tail",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEvidenceVerify(streams, g), newEvidenceShow(streams, g), newEvidenceTail(streams, g))
	return cmd
}

// path returns the file of the log.
func (f *evidenceFlags) path() (string, error) {
	root, err := f.resolveRoot(f.streams)
	if err != nil {
		return "", err
	}
	cfg, _, err := f.loadConfig(f.streams, root)
	if err != nil {
		return "", err
	}
	path := cfg.Settings.EvidenceFile(f.streams.Environ)
	if path == "" {
		return "", &usageError{"no evidence is kept", "\"evidence\" in your own configuration names the file, or --evidence FILE"}
	}
	return path, nil
}

func newEvidenceVerify(streams *Streams, g *global) *cobra.Command {
	f := &evidenceFlags{global: g, streams: streams}
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check that the log has not been changed",
		Long: "verify follows the chain through all files of the log, and reports what was\n" +
			"changed, removed, moved or cut off, and what is known to be missing. If you keep\n" +
			"the hash of the last record elsewhere, --against shows later that this record is\n" +
			"still there, so that neither it nor one before it was changed or removed. With the\n" +
			"number of the record behind the hash, the record must have that number.\n\n" +
			"Exit codes: 0, 1 if something is wrong with the log.",
		Example: "  lspine evidence verify\n" +
			"  lspine evidence verify --against \"$(cat kept.txt)\"\n" +
			"  lspine evidence verify --evidence archive/evidence.jsonl --json",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return f.verify() },
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print the result as JSON")
	cmd.Flags().StringVar(&f.against, "against", "", "HASH or HASH:SEQ of a record, as kept elsewhere, that must be in the log")
	return cmd
}

// keptOf parses what was kept of a record: its hash, and its number if that was kept as well.
func keptOf(text string) (kept evidence.Kept, err error) {
	if text == "" {
		return kept, nil
	}
	hash, number, numbered := strings.Cut(text, ":")
	kept.Hash = strings.ToLower(hash)
	if numbered {
		kept.Seq, err = strconv.ParseUint(number, 10, 64)
	}
	if sum, e := hex.DecodeString(hash); e != nil || len(sum) != sha256.Size || err != nil || numbered && kept.Seq == 0 {
		return kept, &usageError{fmt.Sprintf("--against: %q is no hash of a record", text), "evidence verify prints that of the last record, 64 digits; its number may follow behind a colon"}
	}
	return kept, nil
}

func (f *evidenceFlags) verify() error {
	kept, err := keptOf(f.against)
	if err != nil {
		return err
	}
	path, err := f.path()
	if err != nil {
		return err
	}
	report, err := evidence.VerifyAgainst(path, kept)
	if err != nil {
		return err
	}
	if f.json {
		err = printJSON(f.streams, report)
	} else {
		err = reportText(f.streams.Out, &report)
	}
	if err == nil && len(report.Problems) > 0 {
		return exit(exitDiagnostics)
	}
	return err
}

// reportText prints a report as text.
func reportText(w io.Writer, r *evidence.Report) error {
	var b strings.Builder
	for _, p := range r.Problems {
		fmt.Fprintln(&b, "problem:", legible.Model(p.String()))
	}
	for _, p := range r.Notes {
		fmt.Fprintln(&b, "note:", legible.Model(p.String()))
	}
	switch {
	case r.Records == 0:
		fmt.Fprintf(&b, "%s has no records\n", r.Path)
	default:
		fmt.Fprintf(&b, "%d records, %d to %d, in %d files; the last has the hash\n%s\n", r.Records, r.First, r.Last, len(r.Files), r.Head)
	}
	if len(r.Problems) == 0 {
		fmt.Fprintln(&b, "the chain is whole")
	} else {
		fmt.Fprintf(&b, "the chain is broken in %d places\n", len(r.Problems))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func newEvidenceShow(streams *Streams, g *global) *cobra.Command {
	f := &evidenceFlags{global: g, streams: streams}
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Print the records of the log",
		Long: "show prints the records, the oldest first, one per line; with --json as they are\n" +
			"in the log.",
		Example: "  lspine evidence show --since 24h\n  lspine evidence show --file src/api.go --json",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return f.show() },
	}
	return f.register(cmd)
}

func newEvidenceTail(streams *Streams, g *global) *cobra.Command {
	f := &evidenceFlags{global: g, streams: streams}
	cmd := &cobra.Command{
		Use:     "tail",
		Short:   "Print the last records of the log",
		Long:    "tail prints the last records, the oldest of them first.",
		Example: "  lspine evidence tail\n  lspine evidence tail --lines 100 --file src/api.go",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if f.last < 1 {
				return &usageError{"--lines: at least one record is needed", "for example --lines 20"}
			}
			return f.show()
		},
	}
	cmd.Flags().IntVar(&f.last, "lines", 20, "how many")
	return f.register(cmd)
}

func (f *evidenceFlags) register(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().BoolVar(&f.json, "json", false, "print records as JSON, one per line")
	cmd.Flags().StringVar(&f.since, "since", "", "only records since this time: a duration such as 24h, or a time such as 2026-01-31T12:00:00Z")
	cmd.Flags().StringVar(&f.file, "file", "", "only records about this file or folder, relative to its workspace")
	return cmd
}

// show prints the selected records.
func (f *evidenceFlags) show() error {
	since, err := sinceOf(f.since, time.Now())
	if err != nil {
		return err
	}
	path, err := f.path()
	if err != nil {
		return err
	}
	var kept []string
	err = evidence.Read(path, func(r *evidence.Record) error {
		if r.Time.Before(since) || f.file != "" && !r.About(filepath.ToSlash(filepath.Clean(f.file))) {
			return nil
		}
		line := legible.Line(r.Line())
		if f.json {
			text, err := json.Marshal(r)
			if err != nil {
				return err
			}
			line = string(legible.JSON(text))
		}
		if f.last == 0 {
			_, err := fmt.Fprintln(f.streams.Out, line)
			return err
		}
		if kept = append(kept, line); len(kept) > f.last {
			kept = kept[1:]
		}
		return nil
	})
	for _, line := range kept {
		if err == nil {
			_, err = fmt.Fprintln(f.streams.Out, line)
		}
	}
	return err
}

// sinceOf parses a point in time: a duration before now, or a time.
func sinceOf(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if before, err := time.ParseDuration(text); err == nil && before >= 0 {
		return now.Add(-before), nil
	}
	for _, layout := range []string{time.RFC3339, time.DateTime, time.DateOnly} {
		if at, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return at, nil
		}
	}
	return time.Time{}, &usageError{fmt.Sprintf("--since: %q is no moment", text), "for example --since 24h, or --since 2026-01-31"}
}

// unseenCalls records the calls of tools that no engine knows of.
type unseenCalls struct {
	// open returns the log; it is called at the first such call.
	open func() *evidence.Log

	mu  sync.Mutex
	log *evidence.Log
	// opened says that log is the one of open, which may be nil.
	opened bool
}

// record records a call.
func (u *unseenCalls) record(call mcpserver.Unseen) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.opened {
		u.log, u.opened = u.open(), true
	}
	recordUnseen(u.log, call)
}

// close closes the log, if it was opened.
func (u *unseenCalls) close(ctx context.Context) {
	u.mu.Lock()
	defer u.mu.Unlock()
	closeEvidence(ctx, u.log)
}

// recordUnseen records a call of a tool that no engine knows of.
func recordUnseen(log *evidence.Log, call mcpserver.Unseen) {
	called := &evidence.ToolCall{Operation: call.Operation, Root: call.Root, Success: call.Failed == nil, DurationMS: call.Took.Milliseconds()}
	if call.Tool != call.Operation {
		called.Tool = call.Tool
	}
	if call.Failed != nil {
		called.ErrorKind, called.Error = string(call.Failed.Kind), call.Failed.Message
	}
	log.Record(evidence.Origin{Client: call.Client}, called)
}

// recordTrust records that the user trusts a project, or no longer trusts it.
func recordTrust(ctx context.Context, streams *Streams, cfg *config.Config, root, hash string) {
	log := openEvidence(streams, cfg, "trust")
	log.Record(evidence.Origin{Client: "cli"}, &evidence.Trust{Root: root, Trusted: hash != "", Hash: hash})
	closeEvidence(ctx, log)
}
