package result

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A doctor's result is as bad as its worst symptom, wherever that is, and a server as bad as its own.
func TestLevelIsThatOfTheWorstSymptom(t *testing.T) {
	report := func(levels ...string) (r ServerReport) {
		for _, level := range levels {
			r.Symptoms = append(r.Symptoms, Symptom{Level: level})
		}
		return r
	}
	for name, c := range map[string]struct {
		whole   ServerReport
		servers []ServerReport
		want    []string // of the whole, and of each server
	}{
		"nothing":               {report(), []ServerReport{report()}, []string{LevelOK, LevelOK}},
		"a note":                {report(LevelOK), []ServerReport{report(LevelNote, LevelOK), report()}, []string{LevelNote, LevelNote, LevelOK}},
		"a problem of a server": {report(LevelNote), []ServerReport{report(LevelOK), report(LevelNote, LevelProblem)}, []string{LevelProblem, LevelOK, LevelProblem}},
		"one of the whole":      {report(LevelProblem), []ServerReport{report(LevelNote)}, []string{LevelProblem, LevelNote}},
	} {
		d := Doctor{Symptoms: c.whole.Symptoms, Servers: c.servers}
		d.Judge()
		got := []string{d.Level}
		for _, s := range d.Servers {
			got = append(got, s.Level)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
