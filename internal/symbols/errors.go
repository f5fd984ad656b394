package symbols

import (
	"fmt"
	"strings"
)

// A SelectorError says that a selector cannot be read. Argument is the field that is wrong.
type SelectorError struct {
	Argument, Reason, Advice string
}

func (e *SelectorError) Error() string { return e.Argument + ": " + e.Reason }

// Hint shows a right selector.
func (e *SelectorError) Hint() string { return e.Advice }

// selectorForms is the hint wherever a selector is missing or unreadable.
const selectorForms = "for example src/a.go:42:7, src/a.go:42 Load, src/a.go Config.Load, or Config.Load"

// A Candidate is a symbol that a selector may mean.
type Candidate struct {
	// Name is the name path, Kind the kind in lower case, Container the name of what contains it,
	// "" if unknown.
	Name, Kind, Container string
	// Path is as it is shown to the caller; Line and Column are 1-based, Column in UTF-16.
	Path         string
	Line, Column int
}

// At returns a selector that means exactly this candidate.
func (c *Candidate) At() string { return fmt.Sprintf("%s:%d:%d", c.Path, c.Line, c.Column) }

func (c *Candidate) String() string {
	text := c.At() + " " + c.Name
	if c.Kind != "" {
		text += " (" + c.Kind + ")"
	}
	return text
}

// maxCandidates bounds the candidates of an error.
const maxCandidates = 10

// An AmbiguousError says that several symbols fit a selector. Candidates has the best ten of Total,
// best first.
type AmbiguousError struct {
	Selector   string
	Candidates []Candidate
	Total      int
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%s means %d symbols", e.Selector, e.Total)
}

// Hint lists the candidates, each as a selector that means it alone.
func (e *AmbiguousError) Hint() string {
	return "name one of them:\n" + listCandidates(e.Candidates, e.Total)
}

// A NotFoundError says that no symbol fits a selector. Nearest are symbols that may be meant, best
// first.
type NotFoundError struct {
	Selector string
	// Where is the place that was searched.
	Where   string
	Nearest []Candidate
	// Advice is what to do if Nearest is empty.
	Advice string
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("no symbol %s in %s", e.Selector, e.Where) }

// Hint lists the nearest candidates.
func (e *NotFoundError) Hint() string {
	if len(e.Nearest) == 0 {
		return e.Advice
	}
	return "nearest:\n" + listCandidates(e.Nearest, len(e.Nearest))
}

func listCandidates(candidates []Candidate, total int) string {
	var lines []string
	for i := range candidates {
		lines = append(lines, "  "+candidates[i].String())
	}
	if total > len(candidates) {
		lines = append(lines, fmt.Sprintf("  … and %d more", total-len(candidates)))
	}
	return strings.Join(lines, "\n")
}

// A NotReadyError says that a server had not loaded the project at the deadline: that it found
// nothing does not mean that there is nothing.
type NotReadyError struct {
	Server string
	// Loading is what the server says it is doing.
	Loading string
}

func (e *NotReadyError) Error() string {
	if e.hopeless() {
		return fmt.Sprintf("%s is %s; so it cannot answer", e.Server, e.Loading)
	}
	return fmt.Sprintf("%s is still loading (%s); it cannot answer yet", e.Server, e.Loading)
}

// hopeless reports whether the server will not be ready until somebody changes the project.
func (e *NotReadyError) hopeless() bool { return strings.HasPrefix(e.Loading, notAble) }

// Hint says what to do.
func (e *NotReadyError) Hint() string {
	if e.hopeless() {
		return "set up the project, and ask again; doctor shows what is missing"
	}
	return "ask again; status shows how far it is"
}

// A TimeoutError says that a server did not answer in time.
type TimeoutError struct {
	Server, Method string
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s did not answer %s in time", e.Server, e.Method)
}

// Hint says what to do.
func (e *TimeoutError) Hint() string { return "ask again, or look at status" }
