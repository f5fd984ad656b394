package diagnostics

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/registry"
)

// randomStory returns a story of a seed: up to 16 events for four files, two sessions and a server that may crash.
func randomStory(seed uint64) (s script) {
	random := rand.New(rand.NewPCG(seed, 3))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	text := func() string {
		words := []string{pick("f", "g", "h")}
		for range random.IntN(3) {
			words = append(words, pick("f", "g", "h", "!f", "!g", "!h", "!k"))
		}
		return strings.Join(words, ",")
	}
	s.texts, s.cold = make(map[string]string), random.IntN(5) == 0
	files := []string{"a", "b", "c", "d"}[:2+random.IntN(3)]
	for _, file := range files {
		s.texts["/w/"+file] = text()
	}
	for n := range 4 + random.IntN(13) {
		file := pick(files...)
		var action string
		switch random.IntN(12) {
		case 0, 1, 2:
			action = "write " + file + "=" + text()
		case 3, 4:
			action = "edit " + file + "=" + text()
		case 5:
			action = "write " + file + "=" + s.texts["/w/"+file] // back to the first
		case 6, 7, 8:
			action = "check as " + pick("one", "two") + " " + strings.Join(files[random.IntN(len(files)):], " ")
		case 9, 10:
			action = "answer"
		case 11:
			action = pick("crash", "wait", "answer")
		}
		s.events = append(s.events, event{name: fmt.Sprint("e", n), action: strings.Fields(action)})
	}
	return s
}

// The law holds for random stories as well: 50 of them, or as many as LSPINE_STORIES says, from the seed LSPINE_SEED on.
func TestRandomStories(t *testing.T) {
	number := func(variable string, otherwise int) int {
		n, err := strconv.Atoi(os.Getenv(variable))
		if err != nil {
			return otherwise
		}
		return n
	}
	first, whole := number("LSPINE_SEED", 0), 0
	n := number("LSPINE_STORIES", 50)
	for seed := first; seed < first+n; seed++ {
		s := randomStory(uint64(seed))
		for _, kind := range []registry.Strategy{registry.Versioned, registry.Pull} {
			wrong, complete := s.play(t, kind, s.events)
			if whole += complete; len(wrong) > 0 {
				t.Errorf("seed %d, %s, cold %t, of %v:\n%s\n%s", seed, kind, s.cold, s.texts, lines(s.events), strings.Join(wrong, "\n"))
			}
		}
	}
	t.Logf("%d stories, %d answers were complete", n, whole)
}

// lines returns events as a story has them.
func lines(events []event) string {
	var all []string
	for _, e := range events {
		all = append(all, e.name+": "+strings.Join(e.action, " "))
	}
	return strings.Join(all, "\n")
}
