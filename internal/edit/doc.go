// Package edit computes edits of files in memory, and writes them to disk.
//
// An edit begins as a [Plan] and ends with [Commit]. A plan is computed in memory,
// over any number of files: texts replaced ([Plan.Replace]), whole files
// ([Plan.Write]), ranges ([Plan.Ranges]), patches ([Plan.Patch]), edits of
// language servers ([Plan.Workspace]), files created, renamed and deleted. It
// guesses nothing: where a text is missing, or found more than once, the error says
// what is near, and the plan stays as it was. Only line endings are matched
// loosely, and in patches line numbers and white space around lines. A file keeps
// its line endings and its byte order mark.
//
// [Files] says which paths may be touched; [Tree] is the one for folders on
// disk. [Plan.Changes] and [Plan.Diff] show what would become of them.
//
// Commit writes all of a plan or nothing, also if the process is killed: a
// journal says what was begun, and [Recover] takes it back. It keeps what others
// wrote meanwhile. The steps, each of which may be the last:
//
//	journal .preparing → folders → temporary files and backups → files compared
//	journal .moving    → files moved, one by one      (a crash: all go back)
//	journal .decided   → backups and journal removed  (a crash: the rest is removed)
//
// A [Try] stops before the last step, until it is kept or goes back the way it came.
//
// Below them are [Apply], which replaces ranges of one text, and [LineMap], which
// says where the lines of a text are when it becomes another.
//
// Positions are those of protocol: 0-based, in a stated encoding. Lines in
// messages, and in fields that say so, are 1-based. Paths are those of the
// operating system.
package edit
