// Package lazyregexp has regular expressions that are compiled when they are first used. This
// program has some 200 of them. To compile them all would take longer than all the rest of its
// start, and a call from a command line or a hook needs few of them, or none.
package lazyregexp

import (
	"regexp"
	"sync"
)

// A Regexp is a regular expression of package regexp, whose methods it has. It is safe for
// concurrent use.
type Regexp struct {
	expression string
	once       sync.Once
	compiled   *regexp.Regexp // set by once
}

// New returns the regular expression of a text, for a variable of a package: it is kept as long as
// the program runs. If the text is none, the first use panics; a test uses all (see [All]).
func New(expression string) *Regexp {
	p := &Regexp{expression: expression}
	mu.Lock()
	defer mu.Unlock()
	all = append(all, p)
	return p
}

var (
	mu  sync.Mutex
	all []*Regexp // guarded by mu
)

// All returns the regular expressions of the program, for a test that each of them is an expression.
func All() []*Regexp {
	mu.Lock()
	defer mu.Unlock()
	return append([]*Regexp(nil), all...)
}

// patterns are those that Compiled has compiled, by their text.
var patterns sync.Map

// Compiled returns the regular expression of a text that stands in a table: compiled once, at its first use. ""
// matches nothing. Another text that is none panics; the table's test compiles all.
func Compiled(expression string) *regexp.Regexp {
	if expression == "" {
		expression = `$.`
	}
	known, ok := patterns.Load(expression)
	if !ok {
		known, _ = patterns.LoadOrStore(expression, regexp.MustCompile(expression))
	}
	return known.(*regexp.Regexp)
}

func (p *Regexp) compile() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.expression) })
	return p.compiled
}

// String returns the expression.
func (p *Regexp) String() string { return p.expression }

func (p *Regexp) Match(text []byte) bool         { return p.compile().Match(text) }
func (p *Regexp) MatchString(text string) bool   { return p.compile().MatchString(text) }
func (p *Regexp) Find(text []byte) []byte        { return p.compile().Find(text) }
func (p *Regexp) FindIndex(text []byte) []int    { return p.compile().FindIndex(text) }
func (p *Regexp) FindString(text string) string  { return p.compile().FindString(text) }
func (p *Regexp) FindStringIndex(t string) []int { return p.compile().FindStringIndex(t) }

func (p *Regexp) FindSubmatch(text []byte) [][]byte   { return p.compile().FindSubmatch(text) }
func (p *Regexp) FindSubmatchIndex(text []byte) []int { return p.compile().FindSubmatchIndex(text) }

func (p *Regexp) FindStringSubmatch(text string) []string {
	return p.compile().FindStringSubmatch(text)
}

func (p *Regexp) FindStringSubmatchIndex(t string) []int {
	return p.compile().FindStringSubmatchIndex(t)
}

func (p *Regexp) FindAll(text []byte, n int) [][]byte     { return p.compile().FindAll(text, n) }
func (p *Regexp) FindAllIndex(text []byte, n int) [][]int { return p.compile().FindAllIndex(text, n) }

func (p *Regexp) FindAllString(text string, n int) []string {
	return p.compile().FindAllString(text, n)
}

func (p *Regexp) FindAllStringIndex(text string, n int) [][]int {
	return p.compile().FindAllStringIndex(text, n)
}

func (p *Regexp) FindAllSubmatch(text []byte, n int) [][][]byte {
	return p.compile().FindAllSubmatch(text, n)
}

func (p *Regexp) FindAllSubmatchIndex(text []byte, n int) [][]int {
	return p.compile().FindAllSubmatchIndex(text, n)
}

func (p *Regexp) FindAllStringSubmatch(text string, n int) [][]string {
	return p.compile().FindAllStringSubmatch(text, n)
}

func (p *Regexp) FindAllStringSubmatchIndex(text string, n int) [][]int {
	return p.compile().FindAllStringSubmatchIndex(text, n)
}

func (p *Regexp) ReplaceAll(text, by []byte) []byte { return p.compile().ReplaceAll(text, by) }
func (p *Regexp) ReplaceAllString(text, by string) string {
	return p.compile().ReplaceAllString(text, by)
}

func (p *Regexp) ReplaceAllLiteralString(text, by string) string {
	return p.compile().ReplaceAllLiteralString(text, by)
}

func (p *Regexp) ReplaceAllStringFunc(text string, by func(string) string) string {
	return p.compile().ReplaceAllStringFunc(text, by)
}

func (p *Regexp) ReplaceAllFunc(text []byte, by func([]byte) []byte) []byte {
	return p.compile().ReplaceAllFunc(text, by)
}

func (p *Regexp) Split(text string, n int) []string { return p.compile().Split(text, n) }
func (p *Regexp) SubexpIndex(name string) int       { return p.compile().SubexpIndex(name) }
func (p *Regexp) SubexpNames() []string             { return p.compile().SubexpNames() }
