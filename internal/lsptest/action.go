package lsptest

import (
	"encoding/json"
	"strings"
)

// An Action is one thing a rule does. Use the functions that make them.
type Action struct {
	Kind   kind            `json:"kind"`
	N      int             `json:"n,omitempty"`
	Text   string          `json:"text,omitempty"`
	Method string          `json:"method,omitempty"`
	JSON   json.RawMessage `json:"json,omitempty"`
}

type kind string

const (
	doAnswer         kind = "answer"
	doCrash          kind = "crash"
	doKill           kind = "kill"
	doHang           kind = "hang"
	doStall          kind = "stall"
	doStopReading    kind = "stopReading"
	doWork           kind = "work"
	doPause          kind = "pause"
	doAwaitFile      kind = "awaitFile"
	doDelay          kind = "delay"
	doDelayUntil     kind = "delayUntil"
	doTwice          kind = "twice"
	doShiftVersion   kind = "shiftVersion"
	doPublishForever kind = "publishForever"
	doHalfFrame      kind = "halfFrame"
	doSplitFrame     kind = "splitFrame"
	doHugeFrame      kind = "hugeFrame"
	doPublishMany    kind = "publishMany"
	doLongPublish    kind = "longPublish"
	doRaw            kind = "raw"
	doStderr         kind = "stderr"
	doStderrFlood    kind = "stderrFlood"
	doReply          kind = "reply"
	doReplyError     kind = "replyError"
	doNotify         kind = "notify"
	doAsk            kind = "ask"
	doAskFirst       kind = "askFirst"
	doAskAll         kind = "askAll"
	doBadElement     kind = "badElement"
	doBadPositions   kind = "badPositions"
	doStringID       kind = "stringID"
	doGrandchild     kind = "grandchild"
)

// Answer sends what is to be sent now, so that the actions after it happen
// after it. Without it, the answer is sent after all actions.
func Answer() Action { return Action{Kind: doAnswer} }

// Crash exits the process with the code.
func Crash(code int) Action { return Action{Kind: doCrash, N: code} }

// Kill ends the process with SIGKILL, sent by itself.
func Kill() Action { return Action{Kind: doKill} }

// Hang sends nothing for this message, ever; other messages are served. For
// "exit" it means not to exit before stdin ends.
func Hang() Action { return Action{Kind: doHang} }

// Stall stops the whole server: nothing is served any more, not even the end
// of stdin. Only a signal ends it.
func Stall() Action { return Action{Kind: doStall} }

// Work uses the processor for so many milliseconds, and serves nothing meanwhile.
func Work(milliseconds int) Action { return Action{Kind: doWork, N: milliseconds} }

// Pause does nothing for so many milliseconds, and serves nothing meanwhile.
func Pause(milliseconds int) Action { return Action{Kind: doPause, N: milliseconds} }

// AwaitFile serves nothing until there is such a file.
func AwaitFile(path string) Action { return Action{Kind: doAwaitFile, Text: path} }

// StopReading never reads stdin again, so that the pipe fills. Only a signal
// ends the server then.
func StopReading() Action { return Action{Kind: doStopReading} }

// Delay sends what this message caused after so many milliseconds. It is
// computed now: a delayed publish tells of an old version.
func Delay(milliseconds int) Action { return Action{Kind: doDelay, N: milliseconds} }

// DelayUntil sends what this message caused just after the next message with
// the method was served: out of order.
func DelayUntil(method string) Action { return Action{Kind: doDelayUntil, Method: method} }

// Twice sends everything this message caused twice.
func Twice() Action { return Action{Kind: doTwice} }

// ShiftVersion adds by (which may be negative) to the version in the publishes
// this message caused.
func ShiftVersion(by int) Action { return Action{Kind: doShiftVersion, N: by} }

// PublishForever publishes the diagnostics of all open documents again and
// again, after each so many milliseconds.
func PublishForever(milliseconds int) Action {
	return Action{Kind: doPublishForever, N: milliseconds}
}

// HalfFrame sends the first half of the answer, and then nothing, ever.
func HalfFrame() Action { return Action{Kind: doHalfFrame} }

// SplitFrame sends the first half of the answer, and the second after so many
// milliseconds; all else waits behind it.
func SplitFrame(milliseconds int) Action { return Action{Kind: doSplitFrame, N: milliseconds} }

// HugeFrame makes the first message this one causes so many MiB long.
func HugeFrame(mebibytes int) Action { return Action{Kind: doHugeFrame, N: mebibytes} }

// PublishMany publishes an error for each of n files that do not exist, many/0.toy and so on below the root.
func PublishMany(n int) Action { return Action{Kind: doPublishMany, N: n} }

// LongPublish adds errors to each publish that take so much JSON.
func LongPublish(mebibytes int) Action { return Action{Kind: doLongPublish, N: mebibytes} }

// Raw writes text to stdout as it is, without a frame.
func Raw(text string) Action { return Action{Kind: doRaw, Text: text} }

// BadJSON sends a whole frame whose content is not JSON.
func BadJSON() Action { return Raw("Content-Length: 11\r\n\r\n{\"jsonrpc\":") }

// ContentLength writes a header with the value, and no content.
func ContentLength(value string) Action { return Raw("Content-Length: " + value + "\r\n\r\n") }

// Stderr writes the text and a line end to stderr.
func Stderr(text string) Action { return Action{Kind: doStderr, Text: text + "\n"} }

// StderrFlood writes so many MiB of lines to stderr before going on.
func StderrFlood(mebibytes int) Action { return Action{Kind: doStderrFlood, N: mebibytes} }

// Reply answers with this JSON value. Publishes are not changed.
func Reply(result string) Action { return Action{Kind: doReply, JSON: json.RawMessage(result)} }

// ReplyError answers with an error; data is JSON, or empty for none.
func ReplyError(code int, message, data string) Action {
	return Action{Kind: doReplyError, N: code, Text: message, JSON: json.RawMessage(data)}
}

// ContentModified answers with the error of that name.
func ContentModified() Action { return ReplyError(-32801, "content modified", "") }

// ServerCancelled answers with the error of that name, and asks to try again.
func ServerCancelled() Action {
	return ReplyError(-32802, "server cancelled", `{"retriggerRequest":true}`)
}

// Notify sends a notification; params is JSON, or empty for none.
func Notify(method, params string) Action {
	return Action{Kind: doNotify, Method: method, JSON: json.RawMessage(params)}
}

// Ask sends a request, and does not wait; the response goes to the journal.
func Ask(method, params string) Action {
	return Action{Kind: doAsk, Method: method, JSON: json.RawMessage(params)}
}

// AskFirst sends a request, and keeps back what this message caused until it
// is answered.
func AskFirst(method, params string) Action {
	return Action{Kind: doAskFirst, Method: method, JSON: json.RawMessage(params)}
}

// AskAll sends one request of each kind in [ServerRequests].
func AskAll() Action { return Action{Kind: doAskAll} }

// BadElement puts malformed elements before the diagnostics this message
// caused, published or pulled: the good ones stay.
func BadElement() Action { return Action{Kind: doBadElement} }

// BadPositions adds diagnostics with negative, huge and reversed ranges, whose
// message begins with "bad position".
func BadPositions() Action { return Action{Kind: doBadPositions} }

// StringID echoes the id of the request as a string.
func StringID() Action { return Action{Kind: doStringID} }

// Grandchild starts a process that ignores SIGTERM, SIGINT and SIGHUP and the
// end of its stdin, and writes its pid to the file.
func Grandchild(pidFile string) Action { return Action{Kind: doGrandchild, Text: pidFile} }

// A ServerRequest is a request that servers send to clients.
type ServerRequest struct {
	Method string
	Params string // JSON, or empty for none
}

// ServerRequests are the requests a client of LSP must answer, and one that
// nobody knows.
var ServerRequests = []ServerRequest{
	{"workspace/configuration", `{"items":[{"section":"toy"},{"section":"nobody.knows"},{}]}`},
	{"client/registerCapability", `{"registrations":[{"id":"ask-1","method":"workspace/didChangeConfiguration"}]}`},
	{"client/unregisterCapability", `{"unregisterations":[{"id":"ask-1","method":"workspace/didChangeConfiguration"}]}`},
	{"window/workDoneProgress/create", `{"token":"ask-progress"}`},
	{"workspace/workspaceFolders", ``},
	{"window/showMessageRequest", `{"type":3,"message":"May I?","actions":[{"title":"Yes"}]}`},
	{"window/showDocument", `{"uri":"https://example.com/","external":true}`},
	{"workspace/diagnostic/refresh", ``},
	{"workspace/semanticTokens/refresh", ``},
	{"workspace/codeLens/refresh", ``},
	{"workspace/inlayHint/refresh", ``},
	{"workspace/inlineValue/refresh", ``},
	{"workspace/foldingRange/refresh", ``},
	{"workspace/applyEdit", `{"label":"rude","edit":{"changes":{}}}`},
	{"toy/nobodyKnowsThis", `{}`},
}

// LongText is a text of about n bytes with many lines, for documents that do
// not fit a pipe.
func LongText(n int) string {
	const line = "this line says nothing at all\n"
	return strings.Repeat(line, n/len(line)+1)
}
