package render

import (
	"fmt"
	"reflect"

	"github.com/lspine/lspine/internal/result"
)

// A form is how results of one type look.
type form struct {
	// empty returns a new, zero result of the type.
	empty func() result.Result
	// brief returns the text of a result. fit leaves out of one, in stages, what does not fit into max bytes of text.
	brief func(of result.Result) string
	fit   func(of result.Result, max int)
	// lean returns what the short structured form is written from; nil if there is none.
	lean func(of result.Result) any
}

// forms has the form of every type of result. It is filled by init, because what fits a result asks for its text.
var forms = make(map[reflect.Type]form)

func init() {
	for _, f := range []form{
		formOf(briefBuild, fitBuild, nil),
		formOf(briefCapabilities, fitCapabilities, nil),
		formOf(briefCheck, fitCheck, leanFormOfCheck),
		formOf(briefClosedTurn, fitClosedTurn, nil),
		formOf(briefCommand, fitCommand, nil),
		formOf(briefCompletions, fitCompletions, nil),
		formOf(briefContext, fitContext, nil),
		formOf(briefCrossReferences, fitCrossReferences, nil),
		formOf(briefDoctor, fitDoctor, nil),
		formOf(briefDocumentation, fitDocumentation, nil),
		formOf(briefDone, boundOnly, nil),
		formOf(briefEdit, fitEdit, leanFormOfEdit),
		formOf(briefEditingContext, fitEditingContext, nil),
		formOf(briefEvents, fitEvents, nil),
		formOf(briefFixes, fitFixes, leanFormOfFixes),
		formOf(briefFolders, boundOnly, nil),
		formOf(briefFolds, fitFolds, nil),
		formOf(briefFormatting, boundOnly, nil),
		formOf(briefHierarchy, fitHierarchy, leanFormOfHierarchy),
		formOf(briefHints, fitHints, nil),
		formOf(briefImpact, fitImpact, leanFormOfImpact),
		formOf(briefInspection, fitInspection, leanFormOfInspection),
		formOf(briefLenses, fitLenses, nil),
		formOf(briefPlaces, fitPlaces, leanFormOfPlaces),
		formOf(briefPolicy, boundOnly, nil),
		formOf(briefPreparedRename, fitPreparedRename, nil),
		formOf(briefServers, fitServers, nil),
		formOf(briefSessions, fitSessions, nil),
		formOf(briefSignatures, fitSignatures, nil),
		formOf(briefSimulation, fitSimulation, leanFormOfSimulation),
		formOf(briefSource, fitSource, leanFormOfSource),
		formOf(briefStatus, fitStatus, leanFormOfStatus),
		formOf(briefSymbols, fitSymbols, leanFormOfSymbols),
		formOf(briefTests, fitTests, nil),
		formOf(briefTokens, fitTokens, nil),
		formOf(briefTurn, boundOnly, nil),
	} {
		forms[reflect.TypeOf(f.empty())] = f
	}
}

// formOf returns the form of the results that these functions are for; lean may be nil.
func formOf[T any, R interface {
	*T
	result.Result
}](brief func(R) string, fit func(R, int), lean func(R) any) form {
	f := form{
		empty: func() result.Result { return R(new(T)) },
		brief: func(of result.Result) string { return brief(of.(R)) },
		fit:   func(of result.Result, max int) { fit(of.(R), max) },
	}
	if lean != nil {
		f.lean = func(of result.Result) any { return lean(of.(R)) }
	}
	return f
}

// boundOnly fits a result of which nothing can be left out: its text is cut.
func boundOnly[R result.Result](of R, max int) { fit(max, of) }

// mustForm returns the form of a result. A test sees that each result of an operation has one.
func mustForm(of result.Result) form {
	f, has := forms[reflect.TypeOf(of)]
	if !has {
		panic(fmt.Sprintf("render: %T has no form; add it to forms", of))
	}
	return f
}

// Brief returns the text of a result.
func Brief(of result.Result) string { return mustForm(of).brief(of) }

// Fit leaves out of a result, in stages, what does not fit into max bytes of text, and
// says so in the result itself. 0 is [DefaultBytes]; less than [LeastBytes] counts as that.
func Fit(of result.Result, max int) { mustForm(of).fit(of, max) }

// Lean returns what a result's short structured form is written from as JSON, and whether
// it has one: it is for agents that show the model that instead of the text. It says what
// the text says, the verdict first, and little more.
func Lean(of result.Result) (short any, has bool) {
	f := mustForm(of)
	if f.lean == nil {
		return nil, false
	}
	return f.lean(of), true
}
