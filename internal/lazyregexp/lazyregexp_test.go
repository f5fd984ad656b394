package lazyregexp_test

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// Each method answers as that of package regexp.
func TestAsRegexp(t *testing.T) {
	const expression = `(?P<first>\w)(\d)`
	is, want := lazyregexp.New(expression), regexp.MustCompile(expression)
	const text = "a1, b2, none"
	bytesOf := []byte(text)
	upper := func(m []byte) []byte { return bytes.ToUpper(m) }
	for name, c := range map[string][2]any{
		"String":                     {is.String(), want.String()},
		"Match":                      {is.Match(bytesOf), want.Match(bytesOf)},
		"MatchString":                {is.MatchString(text), want.MatchString(text)},
		"MatchString of none":        {is.MatchString("none"), want.MatchString("none")},
		"Find":                       {is.Find(bytesOf), want.Find(bytesOf)},
		"FindIndex":                  {is.FindIndex(bytesOf), want.FindIndex(bytesOf)},
		"FindString":                 {is.FindString(text), want.FindString(text)},
		"FindStringIndex":            {is.FindStringIndex(text), want.FindStringIndex(text)},
		"FindSubmatch":               {is.FindSubmatch(bytesOf), want.FindSubmatch(bytesOf)},
		"FindSubmatchIndex":          {is.FindSubmatchIndex(bytesOf), want.FindSubmatchIndex(bytesOf)},
		"FindStringSubmatch":         {is.FindStringSubmatch(text), want.FindStringSubmatch(text)},
		"FindStringSubmatchIndex":    {is.FindStringSubmatchIndex(text), want.FindStringSubmatchIndex(text)},
		"FindAll":                    {is.FindAll(bytesOf, -1), want.FindAll(bytesOf, -1)},
		"FindAllIndex":               {is.FindAllIndex(bytesOf, 1), want.FindAllIndex(bytesOf, 1)},
		"FindAllString":              {is.FindAllString(text, -1), want.FindAllString(text, -1)},
		"FindAllStringIndex":         {is.FindAllStringIndex(text, 1), want.FindAllStringIndex(text, 1)},
		"FindAllSubmatch":            {is.FindAllSubmatch(bytesOf, -1), want.FindAllSubmatch(bytesOf, -1)},
		"FindAllSubmatchIndex":       {is.FindAllSubmatchIndex(bytesOf, -1), want.FindAllSubmatchIndex(bytesOf, -1)},
		"FindAllStringSubmatch":      {is.FindAllStringSubmatch(text, -1), want.FindAllStringSubmatch(text, -1)},
		"FindAllStringSubmatchIndex": {is.FindAllStringSubmatchIndex(text, -1), want.FindAllStringSubmatchIndex(text, -1)},
		"ReplaceAll":                 {is.ReplaceAll(bytesOf, []byte("$2")), want.ReplaceAll(bytesOf, []byte("$2"))},
		"ReplaceAllString":           {is.ReplaceAllString(text, "$2"), want.ReplaceAllString(text, "$2")},
		"ReplaceAllLiteralString":    {is.ReplaceAllLiteralString(text, "$2"), want.ReplaceAllLiteralString(text, "$2")},
		"ReplaceAllStringFunc":       {is.ReplaceAllStringFunc(text, strings.ToUpper), want.ReplaceAllStringFunc(text, strings.ToUpper)},
		"ReplaceAllFunc":             {is.ReplaceAllFunc(bytesOf, upper), want.ReplaceAllFunc(bytesOf, upper)},
		"Split":                      {is.Split(text, -1), want.Split(text, -1)},
		"SubexpIndex":                {is.SubexpIndex("first"), want.SubexpIndex("first")},
		"SubexpNames":                {is.SubexpNames(), want.SubexpNames()},
	} {
		if diff := cmp.Diff(c[1], c[0]); diff != "" {
			t.Errorf("%s (-regexp +lazyregexp):\n%s", name, diff)
		}
	}
}

// Several goroutines may use one for the first time at once.
func TestFirstUseByMany(t *testing.T) {
	is := lazyregexp.New(`^a+$`)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if !is.MatchString("aaa") {
				t.Error("no match")
			}
		})
	}
	all.Wait()
}

// What is no expression is found by who uses all of them.
func TestWrongExpression(t *testing.T) {
	wrong := lazyregexp.New(`(`)
	list := lazyregexp.All()
	if list[len(list)-1] != wrong {
		t.Errorf("%d, and the last is not the one that was made last", len(list))
	}
	defer func() {
		if recover() == nil {
			t.Error("it is used, and nothing is wrong")
		}
	}()
	wrong.MatchString("")
}
