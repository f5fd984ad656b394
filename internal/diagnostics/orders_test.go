package diagnostics

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/lspine/lspine/internal/registry"
	"pgregory.net/rapid"
)

// A shownText is a change of one library: its new text, how long the server needs to say
// what that does to the user of the libraries, and the rest before the next change.
type shownText struct {
	Lib, Text   string
	Takes, Rest time.Duration
}

// An orderly server works on one change after the other, each by the texts as they were then. One
// that is not says after the time that each takes what is so by then.
type order struct {
	Orderly bool
	Changes []shownText
}

func (o order) String() string {
	var lines []string
	for _, s := range o.Changes {
		lines = append(lines, fmt.Sprintf("%s=%s takes %v rest %v", s.Lib, s.Text, s.Takes, s.Rest))
	}
	return fmt.Sprintf("orderly %v: %s", o.Orderly, strings.Join(lines, "; "))
}

// brokenBy returns what libraries with these texts break in their user.
func brokenBy(texts map[string]string) []string {
	var broken []string
	for lib, text := range texts {
		if text != "fine" {
			broken = append(broken, lib+" is "+text)
		}
	}
	slices.Sort(broken)
	return broken
}

// reporting is a server that reports on the user of libraries whenever one was changed.
func reporting(c *Collector, o *order, takes *time.Duration) *fake {
	f := newFake(c, only(registry.Versioned))
	texts := make(map[string]string)
	var free time.Time // when an orderly server has finished what it has
	f.shown = func(path string, version int32) {
		texts[path] = string(f.docs[path].text)
		then, wait := maps.Clone(texts), *takes
		if o.Orderly {
			free = time.Unix(0, max(free.UnixNano(), time.Now().UnixNano())).Add(wait)
			wait = time.Until(free)
		}
		later(wait, func() {
			if !o.Orderly {
				f.mu.Lock()
				then = maps.Clone(texts)
				f.mu.Unlock()
			}
			f.push("/w/user", -1, brokenBy(then)...)
			f.push(path, version)
		})
	}
	return f
}

// A told is what one answer says of the user of the libraries.
type told struct {
	Verdict          Verdict
	New, Fixed, Late []string
}

// toldOf takes what an edit tells: of a file that cannot be compared, that it is unknown.
func toldOf(r Report) (s told) {
	judgement := r.Files[0].Judgement
	for _, o := range r.Others {
		if o.Baseline == None && len(o.New) > 0 {
			judgement = judgement.And(Judgement{Lacking: true})
			continue
		}
		judgement = judgement.And(o.Judgement)
		s.New, s.Fixed = append(s.New, split(o.New)...), append(s.Fixed, split(o.Fixed)...)
	}
	for _, l := range r.Late {
		s.Late = append(s.Late, split(l.New)...)
	}
	s.Verdict = judgement.Verdict()
	return s
}

func split(list []Diagnostic) (messages []string) {
	for _, d := range list {
		messages = append(messages, d.Message)
	}
	return messages
}

// play makes the changes of an order and returns what was told of each, and in the end of
// one more that does nothing, when the server rests.
func play(t *testing.T, o order) (all []told) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{})
		defer c.Close()
		takes := 10 * ms
		f := reporting(c, &o, &takes)
		ask := func(path, text string, probe bool) Report {
			report, err := c.Check(t.Context(), Request{Files: []File{f.file(path, text)}, OthersToo: true, Probe: probe})
			if err != nil {
				t.Fatal(err)
			}
			if !probe {
				comparable := slices.DeleteFunc(slices.Clone(report.Others), func(r FileReport) bool { return r.Baseline == None })
				c.Tell("", slices.Concat(report.Files, comparable, report.Late))
			}
			return report
		}
		ask("/w/a", "fine", true)
		ask("/w/b", "fine", true)
		for _, s := range o.Changes {
			takes = s.Takes
			all = append(all, toldOf(ask(s.Lib, s.Text, false)))
			<-time.After(s.Rest)
		}
		<-time.After(5 * time.Minute)
		takes = 10 * ms
		all = append(all, toldOf(ask("/w/c", "fine", false)))
	})
	return all
}

// Whatever the order of changes and answers: no answer is clean for a change that broke
// something, none lists under its change what another one broke, what comes late is true and was not
// told yet, and in the end all that is broken was told.
func TestLateAnswersInEveryOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		times := rapid.SampledFrom([]time.Duration{10 * ms, 5 * time.Second, 15 * time.Second, 40 * time.Second})
		o := order{Orderly: rapid.Bool().Draw(rt, "orderly")}
		for i := range rapid.IntRange(1, 6).Draw(rt, "changes") {
			o.Changes = append(o.Changes, shownText{
				Lib: rapid.SampledFrom([]string{"/w/a", "/w/b"}).Draw(rt, "lib"), Text: rapid.SampledFrom([]string{"fine", "odd", "gone"}).Draw(rt, "text"),
				Takes: times.Draw(rt, "takes") + time.Duration(i)*ms /* no two at once */, Rest: rapid.SampledFrom([]time.Duration{0, 7 * time.Second, time.Minute}).Draw(rt, "rest"),
			})
		}
		all := play(t, o)
		if wrong := wrongIn(o, all); wrong != "" {
			rt.Fatalf("%v\n%s\nall: %+v", o, wrong, all)
		}
	})
}

// wrongIn returns what is not true in the answers to the changes of an order, "" if all is.
func wrongIn(o order, all []told) string {
	texts := map[string]string{"/w/a": "fine", "/w/b": "fine", "/w/c": "fine"}
	open := make(map[string]bool)     // broken and not told yet
	untold := make(map[string]bool)   // broken by some change, maybe mended, and never told
	believed := make(map[string]bool) // told, and not that it is mended
	var before []string
	for i, said := range all {
		s := shownText{Lib: "/w/c", Text: "fine"}
		if i < len(o.Changes) {
			s = o.Changes[i]
		}
		texts[s.Lib] = s.Text
		now := brokenBy(texts)
		isNew := func(e string) bool { return slices.Contains(now, e) && !slices.Contains(before, e) }
		for _, e := range now {
			if isNew(e) {
				open[e] = true
			}
		}
		if said.Verdict == Clean && slices.ContainsFunc(now, isNew) && len(said.New) == 0 {
			return fmt.Sprintf("change %d broke something and is clean: %+v", i, said)
		}
		for _, e := range said.New {
			if !isNew(e) {
				return fmt.Sprintf("change %d did not break %q: %+v", i, e, said)
			}
		}
		for _, e := range said.Late {
			if whole := said.Verdict != Unknown; !untold[e] || !slices.Contains(now, e) && (whole || !slices.Contains(before, e)) {
				return fmt.Sprintf("change %d: %q is late and wrong (open %v): %+v", i, e, open, said)
			}
		}
		for _, e := range said.Fixed {
			delete(believed, e)
		}
		for _, e := range slices.Concat(said.New, said.Late) {
			delete(open, e)
			delete(untold, e)
			believed[e] = true
		}
		maps.Copy(untold, open)
		maps.DeleteFunc(open, func(e string, _ bool) bool { return !slices.Contains(now, e) })
		before = now
	}
	if all[len(all)-1].Verdict == Unknown { // the server needed longer than anybody waits for it
		return ""
	}
	maps.DeleteFunc(open, func(e string, _ bool) bool { return believed[e] })
	return cmp.Diff(map[string]bool{}, open)
}
