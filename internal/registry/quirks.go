package registry

// A Quirk is a named deviation of a server that needs code, in lsp/quirks.go.
type Quirk string

// ChangeAfterOpen: a document opened with a text that differs from what the
// server read from disk does not make it look again at the files that use it;
// a change does.
const ChangeAfterOpen Quirk = "changeAfterOpen"

// ConfirmErrors: looking at one file, the server notes errors of others that it passes
// through, and says them when it is next asked about these, whatever has changed until
// then. It forgets them when a file is sent again.
const ConfirmErrors Quirk = "confirmErrors"

// DeclarationsByHand: without the declaration, references lack more than that
// (the place that was asked about, imports); so they are asked for with it, and
// what is the definition is taken out.
const DeclarationsByHand Quirk = "declarationsByHand"

// OpenNewFolders: files that appear in a folder that had none are not loaded
// before one of them is open.
const OpenNewFolders Quirk = "openNewFolders"

// OpenCreated: a new file is not part of the project at once, unless it is open.
const OpenCreated Quirk = "openCreated"

// AnewReturned: a file of a package that went and came back is not read again for those that
// import it through a link in a node_modules folder, nor sometimes one of a project that
// others refer to; only a new process knows it.
const AnewReturned Quirk = "anewReturned"

// AnewLibraries: that a file of a library outside of the workspace changed counts some time after the server was told of it; only
// a new process knows it at once.
const AnewLibraries Quirk = "anewLibraries"

// AnewProjectGone: that a project is gone, of which others take code, does not count for those others, although the server was told
// that the file is gone which made it one. The server is started anew.
const AnewProjectGone Quirk = "anewProjectGone"

// AnewSameTime: a file that changed and has the time of modification that it had before is not read again, although the server was told
// of the change; only a new process reads it.
const AnewSameTime Quirk = "anewSameTime"

// OpenReturned: a file that went and came back is missing for good if the server read
// it on its own before it heard that it is there again. It is opened, to see; and if it
// is missing, the server is restarted.
const OpenReturned Quirk = "openReturned"

// OpenChanged: what the server knows of a file that is not open stays as it was
// when the file changes on disk, until it is open.
const OpenChanged Quirk = "openChanged"

// KeepReferences: a request for references that is cancelled as it begins makes
// every later one fail. So it is left to end, unheard.
const KeepReferences Quirk = "keepReferences"

// CountsBytes: the server counts columns in bytes wherever it may, and each file that
// it names would have to be read to restate them. So it is offered UTF-16 alone, which
// every server has to know.
const CountsBytes Quirk = "countsBytes"

// ReplacesByLines: a change without a range replaces as many lines as LSP counts in the old text.
// Where the server counts more, a tail of the old text stays; so the change gets a range that ends
// behind both.
const ReplacesByLines Quirk = "replacesByLines"

// RenamesLess: a rename leaves out files with uses that the server itself lists: those that use a type of another
// project by its full name. So they are renamed as well.
const RenamesLess Quirk = "renamesLess"

// AnswersMoves: the server says what must follow when files move, without declaring that it does.
const AnswersMoves Quirk = "answersMoves"

// AnswersFolderMoves: the server says what must follow when folders move, although it declares that for files alone.
const AnswersFolderMoves Quirk = "answersFolderMoves"

// OpensWhenLoaded: of the documents that are opened before the server says that it has loaded, it looks
// at the last alone. So none is.
const OpensWhenLoaded Quirk = "opensWhenLoaded"

// ReadsSaved: other files see an open document as it was saved.
const ReadsSaved Quirk = "readsSaved"

// BesideOpened: the server can be shown another text than the one on disk of files that it does not judge and that those it judges read:
// scripts that components import, data that scripts import (JSON), fragments that C++ includes. They are opened, and said to have changed
// on disk.
const BesideOpened Quirk = "besideOpened"

// BesideNotified: the same, by a notification of its own (Svelte's), once the server has loaded the project.
const BesideNotified Quirk = "besideNotified"

// BesideRequested: the same, of data, by a request to tsserver.
const BesideRequested Quirk = "besideRequested"

// FindsSaved: imports are resolved on disk: a document whose file is gone is not found.
const FindsSaved Quirk = "findsSaved"

// JudgesSaved: nothing is known of a new file before it is on disk, nor of those that are open
// beside it. The server must not even be shown it: jdtls takes the file for one that exists, also
// in its next process.
const JudgesSaved Quirk = "judgesSaved"

// PlacesByFirst: in a project without a build, the server learns where packages begin from the first file that
// it is shown, as that is on disk, and from no other: if it is not there, or has lost the line that names
// its package, every other file is wrong. So it is shown one that lies right first: see [project.JavaPlaces].
const PlacesByFirst Quirk = "placesByFirst"

// FindsPackagesSaved: what is imported by the name of a package, which node_modules links
// to its folder, is resolved on disk: a document whose file is gone is not found that way.
const FindsPackagesSaved Quirk = "findsPackagesSaved"

// LosesReplaced: a module that is found through a link in a node_modules folder is not found if its
// file is replaced at that moment, and the server does not look again: a change of the file, even
// that it was created, does not make it. A change of the package's manifest does.
const LosesReplaced Quirk = "losesReplaced"

// ReadsOtherFolders: what a file of one workspace folder uses of another one is read
// from disk, whatever is open, and only anew when a file of its own folder appears.
const ReadsOtherFolders Quirk = "readsOtherFolders"

// ConfiguredBySaving: a change of a file that makes a root counts when that is saved.
const ConfiguredBySaving Quirk = "configuredBySaving"

// TogglesDefinition: asked for the definition of a definition, it answers with the
// declaration.
const TogglesDefinition Quirk = "togglesDefinition"

// LoadsByOpening: a project is loaded when one of its files is opened, and nothing is
// known of a file in one that is not.
const LoadsByOpening Quirk = "loadsByOpening"

// AwaitsSave reports whether what is on disk matters to what the server says of
// open documents: it is told when one is saved, and judges it after that. Of a
// server that nobody has measured it is assumed.
func (d *Definition) AwaitsSave() bool {
	return d.Diagnostics.NeedsSave || d.Diagnostics.Disk != nil || d.Has(ReadsSaved) || len(d.Diagnostics.Strategies) == 0
}

// DiagnoseChanged: what the change of an open document means for others is not
// known before the document was diagnosed itself; and what it means for those that
// are open is only said when each is.
const DiagnoseChanged Quirk = "diagnoseChanged"

// WholeChanges: an open document may have been read from disk anew before a change
// of it arrives, so that a part of it would be put into another text.
const WholeChanges Quirk = "wholeChanges"

// PushSettings: it never asks for its settings, and takes them from
// workspace/didChangeConfiguration alone.
const PushSettings Quirk = "pushSettings"

// NamesByComment: a constructor with a comment is named by the end of the comment, an empty range.
const NamesByComment Quirk = "namesByComment"
