package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/internal/api"
)

// A sessionsRow is what sessions of agents take of memory, in bytes: all their processes, the
// daemon and its servers together, each shared page once.
type sessionsRow struct {
	server, project string
	one, many       int64
	// front is what one `lspine mcp` has for itself alone.
	front int64
}

// The goals: of many sessions in proportion to one, and of each front.
const (
	goalSessions = 1.15
	goalFront    = 20 << 20
)

func writeSessions(b *strings.Builder, rows []sessionsRow) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\nMemory in MiB of agents' sessions on one repository, two seconds after the last call, medians of %d: all processes together, including the daemon and the server, with shared pages counted once. \"Front\" is the memory of one `lspine mcp` alone.\n\n| server | project | 1 session | %d sessions | ratio | ≤ %.2f | front | ≤ %d |\n|---|---|---:|---:|---:|---|---:|---|\n", weighings, atOnce, goalSessions, goalFront>>20)
	for _, row := range rows {
		ratio := float64(row.many) / float64(row.one)
		fmt.Fprintf(b, "| %s | %s | %s | %s | %.2f | %s | %s | %s |\n", row.server, row.project, mebibytes(row.one), mebibytes(row.many), ratio, yes(ratio <= goalSessions), mebibytes(row.front), yes(row.front <= goalFront))
	}
}

func mebibytes(n int64) string { return fmt.Sprintf("%.1f", float64(n)/(1<<20)) }

// weighings is how often the same is weighed. Servers and the daemon collect garbage when they like:
// a single weighing is off by a session or so.
const weighings = 3

// sessions weighs one session of an agent, and many in the same repository. Each time all starts
// anew, and as much is asked: servers grow with what they are asked.
func (v visit) sessions(ctx context.Context) (sessionsRow, error) {
	row := sessionsRow{server: v.spec.ID}
	row.project, _, _ = strings.Cut(v.scenario.Name, ":")
	var one, many, fronts []int64
	for range weighings { // by turns
		alone, _, err := v.weighed(ctx, 1)
		if err != nil {
			return row, err
		}
		all, front, err := v.weighed(ctx, atOnce)
		if err != nil {
			return row, err
		}
		one, many, fronts = append(one, alone), append(many, all), append(fronts, front)
	}
	row.one, row.many, row.front = quantile(one, 0.5), quantile(many, 0.5), quantile(fronts, 0.5)
	return row, nil
}

// weighed opens sessions that check a file and ask for references by turns, and returns what all
// their processes take, and what one front has for itself.
func (v visit) weighed(ctx context.Context, sessions int) (all, front int64, err error) {
	dir, err := os.MkdirTemp("", "lspine-bench-")
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	written, err := v.scenario.Write(ctx, filepath.Join(dir, "project"))
	if err != nil {
		return 0, 0, err
	}
	if err := commit(ctx, written.Root); err != nil {
		return 0, 0, err
	}
	symbol, err := v.scenario.Symbol(written)
	if err != nil {
		return 0, 0, err
	}
	p := &program{binary: v.binary, id: v.spec.ID}
	if err := p.start(written.Root); err != nil {
		return 0, 0, err
	}
	var open []*session
	defer func() {
		for _, s := range open {
			err = errors.Join(err, s.close())
		}
		err = errors.Join(err, p.stop(context.WithoutCancel(ctx)))
	}()
	for range sessions {
		s, err := p.open(ctx)
		if err != nil {
			return 0, 0, err
		}
		open = append(open, s)
	}
	for i := range 8 * atOnce {
		if err := open[i%len(open)].work(written, symbol); err != nil {
			return 0, 0, err
		}
	}
	if err := settle(ctx); err != nil {
		return 0, 0, err
	}
	if all, err = p.memory(); err != nil {
		return 0, 0, err
	}
	front, err = ownMemory(open[0].cmd.Process.Pid)
	return all, front, err
}

// commit makes a project a repository, as that of agents is: what a session has not changed is then
// known to be as it was.
func commit(ctx context.Context, root string) error {
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "commit", "-q", "-m", "as it was"}} {
		if out, err := exec.CommandContext(ctx, "git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	return nil
}

// settle waits until a session that is not asked anything has given memory back: sessions mostly wait
// for their model.
func settle(ctx context.Context) error {
	select {
	case <-time.After(2 * time.Second):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A session is one `lspine mcp` and its client.
type session struct {
	*mcpNavigator
	cmd *exec.Cmd
}

func (p *program) open(ctx context.Context) (*session, error) {
	cmd := exec.CommandContext(ctx, p.binary, "mcp")
	cmd.Dir, cmd.Env = p.root, append(os.Environ(), p.environ...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &session{&mcpNavigator{root: p.root, wire: in, lines: bufio.NewReaderSize(out, 64<<10)}, cmd}
	if err := s.begin(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *session) work(p project.Project, symbol project.Symbol) error {
	if _, err := s.call(api.Check.Name, api.CheckRequest{Files: []string{p.File}, TimeoutMS: 120_000}); err != nil {
		return err
	}
	_, err := s.ask(context.Background(), references, symbol)
	return err
}

func (s *session) close() error {
	_ = s.wire.Close() // that is how a client takes its leave
	_, _ = io.Copy(io.Discard, s.lines)
	return s.cmd.Wait()
}

// memory sums what all processes of the program have.
func (p *program) memory() (bytes int64, err error) {
	pids, err := p.processes()
	for _, pid := range pids {
		n, failed := smaps(pid, "Pss:")
		if errors.Is(failed, os.ErrNotExist) {
			continue // it has ended
		}
		bytes, err = bytes+n, errors.Join(err, failed)
	}
	return bytes, err
}

// processes finds those that have the program's folder for sockets in their environment: the
// fronts, the daemon, and the servers.
func (p *program) processes() (pids []int, err error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("memory can only be measured on Linux: %w", err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		environ, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err == nil && bytes.Contains(environ, []byte(p.environ[0]+"\x00")) {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// ownMemory is what a process has for itself alone.
func ownMemory(pid int) (int64, error) {
	clean, err := smaps(pid, "Private_Clean:")
	dirty, failed := smaps(pid, "Private_Dirty:")
	return clean + dirty, errors.Join(err, failed)
}

// smaps reads one line of what Linux says of a process's memory.
func smaps(pid int, name string) (bytes int64, err error) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(content)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == name {
			kibibytes, err := strconv.ParseInt(fields[1], 10, 64)
			return kibibytes << 10, err
		}
	}
	return 0, fmt.Errorf("/proc/%d/smaps_rollup has no line %s", pid, name)
}
