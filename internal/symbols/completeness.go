package symbols

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/result"
)

// Completeness returns whether the answer has all that there is, "" if the questions were not about
// all of a project. It is decided here and nowhere else.
func (q *Inquiry) Completeness() result.Completeness {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.completeness != "" && len(q.states) > 0 {
		return result.NotKnown
	}
	return q.completeness
}

// degrees are the verdicts, the better first.
var degrees = []result.Completeness{"", result.Complete, result.OfLoaded, result.NotKnown}

// judge notes that the answer is no more complete than this.
func (q *Inquiry) judge(c result.Completeness) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if slices.Index(degrees, c) > slices.Index(degrees, q.completeness) {
		q.completeness = c
	}
}

// Partial notes that a server was asked about all of a project of which it could not load all.
func (q *Inquiry) Partial() {
	if q.Completeness() != "" {
		q.judge(result.OfLoaded)
	}
}

// tellByText notes places that are uses by their text alone.
func (q *Inquiry) tellByText(places []Place) {
	if len(places) == 0 {
		return
	}
	q.judge(result.OfLoaded)
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, p := range places {
		if !slices.Contains(q.byText, p) {
			q.byText = append(q.byText, p)
		}
	}
}

// noteOfTextLocked says where the uses are that only the text shows.
func (q *Inquiry) noteOfTextLocked() string {
	const most = 8
	var at []string
	for _, p := range q.byText[:min(most, len(q.byText))] {
		at = append(at, fmt.Sprintf("%s:%d", q.access.Relative(p.Path), p.Range.Start.Line+1))
	}
	if more := len(q.byText) - most; more > 0 {
		at = append(at, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("%d more by text, in files of which no server says what they use: %s", len(q.byText), strings.Join(at, ", "))
}
