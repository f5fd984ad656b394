package render

import (
	"fmt"

	"github.com/lspine/lspine/internal/result"
)

// Brief returns the text of a result.
func Brief(of result.Result) string {
	switch r := of.(type) {
	case *result.Build:
		return briefBuild(r)
	case *result.Capabilities:
		return briefCapabilities(r)
	case *result.Check:
		return briefCheck(r)
	case *result.ClosedTurn:
		return briefClosedTurn(r)
	case *result.Command:
		return briefCommand(r)
	case *result.Completions:
		return briefCompletions(r)
	case *result.Context:
		return briefContext(r)
	case *result.CrossReferences:
		return briefCrossReferences(r)
	case *result.Doctor:
		return briefDoctor(r)
	case *result.Documentation:
		return briefDocumentation(r)
	case *result.Done:
		return briefDone(r)
	case *result.Edit:
		return briefEdit(r)
	case *result.EditingContext:
		return briefEditingContext(r)
	case *result.Events:
		return briefEvents(r)
	case *result.Fixes:
		return briefFixes(r)
	case *result.Folders:
		return briefFolders(r)
	case *result.Folds:
		return briefFolds(r)
	case *result.Formatting:
		return briefFormatting(r)
	case *result.Hierarchy:
		return briefHierarchy(r)
	case *result.Hints:
		return briefHints(r)
	case *result.Impact:
		return briefImpact(r)
	case *result.Inspection:
		return briefInspection(r)
	case *result.Lenses:
		return briefLenses(r)
	case *result.Places:
		return briefPlaces(r)
	case *result.Policy:
		return briefPolicy(r)
	case *result.PreparedRename:
		return briefPreparedRename(r)
	case *result.Servers:
		return briefServers(r)
	case *result.Sessions:
		return briefSessions(r)
	case *result.Signatures:
		return briefSignatures(r)
	case *result.Simulation:
		return briefSimulation(r)
	case *result.Source:
		return briefSource(r)
	case *result.Status:
		return briefStatus(r)
	case *result.Symbols:
		return briefSymbols(r)
	case *result.Tests:
		return briefTests(r)
	case *result.Tokens:
		return briefTokens(r)
	case *result.Turn:
		return briefTurn(r)
	}
	panic(fmt.Sprintf("render: no text of %T", of)) // a test sees every result
}

// Fit leaves out of a result, in stages, what does not fit into max bytes of text, and
// says so in the result itself. 0 is [DefaultBytes]; less than [LeastBytes] counts as that.
func Fit(of result.Result, max int) {
	switch r := of.(type) {
	case *result.Build:
		fitBuild(r, max)
	case *result.Capabilities:
		fitCapabilities(r, max)
	case *result.Check:
		fitCheck(r, max)
	case *result.ClosedTurn:
		fitClosedTurn(r, max)
	case *result.Command:
		fitCommand(r, max)
	case *result.Completions:
		fitCompletions(r, max)
	case *result.Context:
		fitContext(r, max)
	case *result.CrossReferences:
		fitCrossReferences(r, max)
	case *result.Doctor:
		fitDoctor(r, max)
	case *result.Documentation:
		fitDocumentation(r, max)
	case *result.Done:
		fitDone(r, max)
	case *result.Edit:
		fitEdit(r, max)
	case *result.EditingContext:
		fitEditingContext(r, max)
	case *result.Events:
		fitEvents(r, max)
	case *result.Fixes:
		fitFixes(r, max)
	case *result.Folders:
		fitFolders(r, max)
	case *result.Folds:
		fitFolds(r, max)
	case *result.Formatting:
		fitFormatting(r, max)
	case *result.Hierarchy:
		fitHierarchy(r, max)
	case *result.Hints:
		fitHints(r, max)
	case *result.Impact:
		fitImpact(r, max)
	case *result.Inspection:
		fitInspection(r, max)
	case *result.Lenses:
		fitLenses(r, max)
	case *result.Places:
		fitPlaces(r, max)
	case *result.Policy:
		fit(max, r)
	case *result.PreparedRename:
		fitPreparedRename(r, max)
	case *result.Servers:
		fitServers(r, max)
	case *result.Sessions:
		fitSessions(r, max)
	case *result.Signatures:
		fitSignatures(r, max)
	case *result.Simulation:
		fitSimulation(r, max)
	case *result.Source:
		fitSource(r, max)
	case *result.Status:
		fitStatus(r, max)
	case *result.Symbols:
		fitSymbols(r, max)
	case *result.Tests:
		fitTests(r, max)
	case *result.Tokens:
		fitTokens(r, max)
	case *result.Turn:
		fit(max, r)
	default:
		panic(fmt.Sprintf("render: %T does not fit", of)) // a test sees every result
	}
}
