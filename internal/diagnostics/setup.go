package diagnostics

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A Setup tells which errors of a server come from an incomplete set-up of the project, so that
// nobody takes them for errors in the text. Its functions must be safe for concurrent use.
type Setup struct {
	Symptoms *registry.Symptoms
	// Wording is how the server says the same error in more than one way.
	Wording registry.Wording
	// Lacks returns which of the named things, which the server did not find for a file, a complete
	// set-up of the project would provide.
	Lacks func(path string, names []string) Lack
	// Next returns the command that may help a server that could not load the project of a file, ""
	// if there is none; nil if none is known.
	Next func(path string) string
	// Handicap returns what keeps the server from judging all of a file; nil if nothing ever does.
	Handicap func(path string) Handicap
	// Without is told that the server refused to answer for a file or, if unloaded is set, that it
	// could not load its project. It returns what is missing that the server needs for that: a program,
	// or something that the project requires; nil if it needs nothing.
	Without func(path string, unloaded bool) Lack
}

// explain names what is missing if a server refused to answer or reported that it could not load
// the project.
func (s *Setup) explain(path string, a *Answer) {
	var refused *jsonrpc.ResponseError
	if s == nil || s.Without == nil || !errors.As(a.Err, &refused) && a.unloaded == "" {
		return
	}
	if lack := s.Without(path, a.unloaded != ""); lack.Missing != "" {
		a.Lack, a.Reason = lack, lack.Missing+": "+a.Reason
	}
}

// A Handicap is something without which a server does not judge all of a file: a program that is not installed, or the
// trust of the user. The zero value is none.
type Handicap struct {
	Lack Lack
	// Reason says of an answer that it is not whole.
	Reason string
	// Untrusted says that only the user's trust is missing.
	Untrusted bool
	// Doubtful says that errors may come of it, Sure is a regular expression for the codes of those that do not; "" for none.
	Doubtful bool
	Sure     string
}

// handicapped makes an answer partial that a server gave with a handicap.
func (s *Setup) handicapped(path string, a *Answer) {
	if s == nil || s.Handicap == nil || a.Freshness != Fresh && (a.unloaded == "" || a.Freshness != Partial) {
		return
	}
	h := s.Handicap(path)
	if h.Reason == "" || a.Freshness != Fresh && !h.Untrusted { // what did not load a project that is trusted is said already
		return
	}
	a.Freshness, a.Lack, a.Reason, a.Untrusted = Partial, h.Lack, h.Reason, h.Untrusted
	if h.Doubtful {
		a.doubt(h.Lack, h.Sure)
	}
}

// doubt takes the errors out of an answer that may come of what is missing: all but those whose codes match sure.
func (a *Answer) doubt(lack Lack, sure string) {
	excused := make([]bool, len(a.Items))
	for i, d := range a.Items {
		excused[i] = isError(d) && (sure == "" || !lazyregexp.Compiled(sure).MatchString(d.Code))
	}
	if slices.Contains(excused, true) {
		a.conclude(lack, excused)
	}
}

// A Lack is something that a project needs and does not have, such as installed packages.
type Lack struct {
	// Missing describes it; Next is the command that gets it, "" if there is none.
	Missing, Next string
	// Names are the names in error messages that it would resolve.
	Names []string
}

// excuse is [Setup.excuse] for an answer of this server, which counts errors about things that were
// there once, as long as it reports them. lost are the names of some of these.
func (s *stream) excuse(setup *Setup, path string, lost []string, a *Answer) {
	if setup == nil {
		return
	}
	known := slices.Concat(s.removedFrom(path), lost)
	a.removed = slices.Clip(known)
	setup.excuse(path, a)
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.files[path]; f != nil {
		f.removed = append(f.removed, a.removed[len(known):]...)
	}
}

// removedFrom returns the names of things that the server once found for a file, and then did not.
func (s *stream) removedFrom(path string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.files[path]; f != nil {
		return slices.Clip(f.removed)
	}
	return nil
}

// excuse takes those errors out of an answer that come from an incomplete set-up. The answer is
// then partial: nobody knows what the server would report otherwise.
func (s *Setup) excuse(path string, a *Answer) {
	if lack, excused := s.find(path, a, a.Items, &a.prior); excused != nil {
		a.conclude(lack, excused)
	}
}

// wording returns how the server words what it says; nil of a nil Setup.
func (s *Setup) wording() registry.Wording {
	if s == nil {
		return nil
	}
	return s.Wording
}

// find returns which items of an answer come from an incomplete set-up; excused is nil if none
// does.
func (s *Setup) find(path string, a *Answer, items []protocol.Diagnostic, before *prior) (lack Lack, excused []bool) {
	if s == nil || s.Symptoms == nil || s.Lacks == nil || !slices.ContainsFunc(items, isError) {
		return lack, nil
	}
	missing, follows, nearby := lazyregexp.Compiled(s.Symptoms.Missing), lazyregexp.Compiled(s.Symptoms.Follows), lazyregexp.Compiled(s.Symptoms.Nearby)
	names := make([]string, len(items)) // of the things that items report as missing
	told := make([]bool, len(items))
	for i, d := range items {
		if !isError(d) {
			continue
		}
		names[i], told[i] = nameIn(missing, d)
		if told[i] && !slices.Contains(a.removed, names[i]) && before.found(names[i], missing) {
			a.removed = append(a.removed, names[i])
		}
		told[i] = told[i] && !slices.Contains(a.removed, names[i])
	}
	var distinct []string
	for i, name := range names {
		if told[i] && !slices.Contains(distinct, name) {
			distinct = append(distinct, name)
		}
	}
	if a.unloaded != "" { // then whatever it did not find may come of that
		lack = Lack{Missing: a.unloaded, Next: a.Lack.Next, Names: distinct}
	} else if len(distinct) > 0 {
		lack = s.Lacks(path, distinct)
	}
	if lack.Missing == "" || len(lack.Names) == 0 && a.unloaded == "" {
		return lack, nil
	}
	marks := make([]bool, len(items))
	lines := make(map[uint32]bool) // the lines of excused items
	mark := func(i int) {
		excused, marks[i] = marks, true
		lines[items[i].Range.Start.Line] = true
	}
	for i, d := range items {
		if told[i] && slices.Contains(lack.Names, names[i]) || isError(d) && !told[i] && follows.MatchString(textOf(d)) {
			mark(i)
		}
	}
	for i, d := range items { // in the order of the text, so that one can lead to the next
		if line := d.Range.Start.Line; isError(d) && !marks[i] && nearby.MatchString(textOf(d)) && (lines[line] || line > 0 && lines[line-1]) {
			mark(i)
		}
	}
	return lack, excused
}

// confine makes an answer complete again if it is partial only because of an incomplete set-up, the
// same was missing before the change, and the change certainly causes no error that only a complete
// set-up would reveal. A note then says what is not judged.
func (s *Setup) confine(apart func(path string, before, after []byte, excused []protocol.Diagnostic) bool, f File, a *Answer) {
	if len(a.Excused) == 0 || !a.done || apart == nil || !a.prior.known || a.prior.text == nil || a.unloaded != "" {
		return
	}
	_, excused := s.find(f.Path, a, a.prior.items, &prior{})
	kept, former := divided(a.prior.items, excused)
	missing := lazyregexp.Compiled(s.Symptoms.Missing)
	for _, d := range a.Excused {
		if _, told := nameIn(missing, d); !told { // consequences may be anywhere
			return
		}
	}
	if !slices.Equal(messagesOf(former), messagesOf(a.Excused)) || !apart(f.Path, a.prior.text, f.Content, a.Excused) {
		return
	}
	a.Freshness, a.done, a.prior.items = Fresh, false, kept
	a.Note, a.Reason = a.Reason, ""
	if a.Lack.Next != "" {
		a.Note += " (to fix it: " + a.Lack.Next + ")"
	}
}

// divided returns the items that are not chosen, and those that are. If chosen is nil, none is.
func divided(items []protocol.Diagnostic, chosen []bool) (others, found []protocol.Diagnostic) {
	for i, d := range items {
		if chosen != nil && chosen[i] {
			found = append(found, d)
		} else {
			others = append(others, d)
		}
	}
	return others, found
}

// messagesOf returns the codes and messages of items, sorted.
func messagesOf(items []protocol.Diagnostic) (messages []string) {
	for _, d := range items {
		messages = append(messages, textOf(d))
	}
	slices.Sort(messages)
	return messages
}

// next returns the command for a server that could not load the project.
func (s *Setup) next(path string) string {
	if s == nil || s.Next == nil {
		return ""
	}
	return s.Next(path)
}

// apart says why a file is in none of the projects that the server loaded, if the server reports
// that and there is a project it could have loaded; "" otherwise.
func (s *Setup) apart(path string, items []protocol.Diagnostic) string {
	if s == nil || s.Symptoms == nil || s.next(path) == "" {
		return ""
	}
	apart := lazyregexp.Compiled(s.Symptoms.Apart)
	for _, d := range items {
		if apart.MatchString(textOf(d)) {
			return "it is in no project that is loaded: " + firstLine(d.Message)
		}
	}
	return ""
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return first
}

// lostSince returns the names of things that the server had found at an earlier time, and that it now
// reports as missing, without those that are known to be lost.
func (s *Setup) lostSince(before prior, items []protocol.Diagnostic, known []string) (lost []string) {
	if s == nil || s.Symptoms == nil || !before.known {
		return nil
	}
	missing := lazyregexp.Compiled(s.Symptoms.Missing)
	for _, d := range items {
		if !isError(d) {
			continue
		}
		name, told := nameIn(missing, d)
		if told && !slices.Contains(known, name) && !slices.Contains(lost, name) && before.found(name, missing) {
			lost = append(lost, name)
		}
	}
	return lost
}

// found reports whether the server had found a named thing before: then the thing is gone, which
// has nothing to do with the set-up.
func (p *prior) found(name string, missing *regexp.Regexp) bool {
	if !p.known || p.untold || name == "" || !p.unchanged && !bytes.Contains(p.text, []byte(name)) {
		return false
	}
	return !slices.ContainsFunc(p.items, func(d protocol.Diagnostic) bool {
		former, told := nameIn(missing, d)
		return told && former == name
	})
}

// conclude takes the excused errors out of an answer.
func (a *Answer) conclude(lack Lack, excused []bool) {
	kept, found := divided(a.Items, excused)
	a.Excused = append(a.Excused, found...)
	a.Items, a.Lack = kept, lack
	first := a.Excused[0]
	for _, d := range a.Excused {
		if cmp.Compare(d.Range.Start.Line, first.Range.Start.Line) < 0 {
			first = d
		}
	}
	const most = 120
	message := strings.Join(strings.Fields(first.Message), " ")
	if runes := []rune(message); len(runes) > most {
		message = string(runes[:most]) + "…"
	}
	a.Reason = fmt.Sprintf("%s; not counted, as it may come of that: line %d: %s", lack.Missing, first.Range.Start.Line+1, message)
	if more := len(a.Excused) - 1; more > 0 {
		a.Reason += fmt.Sprintf(", and %d more", more)
	}
	if a.Freshness == Fresh {
		a.Freshness, a.done = Partial, true
	}
}

// nameIn returns the first group that matched, and whether the pattern matched at all.
func nameIn(pattern *regexp.Regexp, d protocol.Diagnostic) (name string, matched bool) {
	groups := pattern.FindStringSubmatch(textOf(d))
	if groups == nil {
		return "", false
	}
	return cmp.Or(groups[1:]...), true
}

// textOf returns the text in which symptoms are looked for.
func textOf(d protocol.Diagnostic) string { return d.Code + ": " + d.Message }

func isError(d protocol.Diagnostic) bool { return d.Severity == protocol.SeverityError }

func (s *stream) setupOf() *Setup {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.setup
}

// serve notes the running server's state, definition and set-up, which are needed for what it
// publishes.
func (s *stream) serve(server Server, setup *Setup) {
	d := server.Definition()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server = server
	s.projectFiles, s.hides, s.setup = d.Diagnostics.ProjectFiles, d.Diagnostics.Hides, setup
	s.publishesAll = d.Diagnostics.ClosedFiles == registry.ClosedPushes
	s.readsDisk = d.Diagnostics.Disk != nil
	s.checksDisk = d.Diagnostics.Disk != nil && d.Diagnostics.Disk.Whole
	s.namesCrates = ""
	if d.Diagnostics.Disk != nil && d.Diagnostics.Disk.NamesCrates {
		s.namesCrates = d.Diagnostics.Disk.Title
	}
	s.onlyAnswers = !s.toldRelated && onlyAnswers(d)
}

// onlyAnswers reports whether a server reports on a file only in an answer about that file, and its
// answers are up to date.
func onlyAnswers(d *registry.Definition) bool {
	how := d.Diagnostics
	return slices.Equal(how.Strategies, []registry.Strategy{registry.Pull}) && len(how.FileStrategies) == 0 && how.AnnouncePull &&
		how.Disk == nil && how.ClosedFiles != registry.ClosedPushes && !d.Has(registry.ConfirmErrors)
}

// tellsAll reports whether the server publishes what is wrong with any file of the project, so that
// it has found nothing wrong with files it has not mentioned.
func (s *stream) tellsAll() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.publishesAll
}
