package symbols

import (
	"context"
	"errors"
)

// OnlyTexts returns access to the texts of another one, and to no server: questions that need one fail.
func OnlyTexts(to Access) Access { return onlyTexts{to} }

type onlyTexts struct{ Access }

var errOnlyTexts = errors.New("no server is asked")

func (onlyTexts) Open(context.Context, string, string) (Server, error) { return nil, errOnlyTexts }

func (onlyTexts) Searchable(context.Context, string, string) ([]Server, []error) {
	return nil, []error{errOnlyTexts}
}

// NamedIn returns the file and the name path of a selector that has nothing else, "" of any other one.
func (q *Inquiry) NamedIn(s Selector) (path, name string) {
	s, err := s.normal(q.isThere)
	if err != nil || s.File == "" || s.Symbol == "" || s.Line != 0 || s.Column != 0 || s.Pattern != "" {
		return "", ""
	}
	path, err = q.access.Resolve(s.File)
	if err != nil {
		return "", ""
	}
	return path, s.Symbol
}
