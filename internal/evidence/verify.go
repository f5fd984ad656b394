package evidence

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
)

// A Report is what is known of a log as it is on disk.
type Report struct {
	Path  string   `json:"path"`
	Files []string `json:"files"`
	// Records is how many there are; First and Last are the numbers that they have.
	Records uint64 `json:"records"`
	First   uint64 `json:"first,omitempty"`
	Last    uint64 `json:"last,omitempty"`
	// Head is the hash of the last record: who keeps it elsewhere can show later that nothing
	// before it was changed.
	Head string `json:"head,omitempty"`
	// Problems are what is wrong. Notes are what is known to be missing, and is on record.
	Problems []Problem `json:"problems"`
	Notes    []Problem `json:"notes"`
}

// A Problem is a place where the log is not as it was written.
type Problem struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"` // from 1
	Seq  uint64 `json:"seq,omitempty"`
	// Kind is changed, missing, swapped, cut_off, truncated, unreadable or, of notes, lost, unfinished or earlier.
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

func (p Problem) String() string {
	where := p.File
	if p.Line > 0 {
		where = fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return where + ": " + p.Message
}

// Files returns the files of a log, the oldest first: those that were moved away, and the one that is
// written to. A log that does not exist has none.
func Files(path string) ([]string, error) {
	ending := filepath.Ext(path)
	stem := strings.TrimSuffix(filepath.Base(path), ending)
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var list []string
	for _, e := range entries { // by name, which ends with the number of the last record
		number, is := strings.CutPrefix(strings.TrimSuffix(e.Name(), ending), stem+"-")
		if is && strings.HasSuffix(e.Name(), ending) && number != "" && strings.Trim(number, "0123456789") == "" {
			list = append(list, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	if _, err := os.Stat(path); err == nil {
		list = append(list, path)
	}
	return list, nil
}

// maxLine bounds a line that is read.
const maxLine = 64 << 20

// eachLine calls f for each line of a log, without its ending; whole says that it has one.
func eachLine(path string, f func(number int, line []byte, whole bool) error) error {
	file, err := fspath.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	reader := bufio.NewReaderSize(file, 1<<20)
	for number := 1; ; number++ {
		line, err := readLine(reader)
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s:%d: %w", path, number, err)
		}
		if err := f(number, bytes.TrimSuffix(line, []byte("\n")), err == nil); err != nil {
			return err
		}
	}
}

func readLine(reader *bufio.Reader) (line []byte, err error) {
	for {
		part, err := reader.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return line, fmt.Errorf("a line has more than %d bytes", maxLine)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// Verify reads a whole log, and says what is wrong with it.
func Verify(path string) (Report, error) { return VerifyAgainst(path, Kept{}) }

// A Kept is what was kept elsewhere of a record: its hash and, if it is not 0, its number. The zero Kept is nothing.
type Kept struct {
	Hash string
	Seq  uint64
}

// VerifyAgainst does what [Verify] does, and says besides whether the record that was kept is in the log.
func VerifyAgainst(path string, kept Kept) (Report, error) {
	v := &verifier{report: Report{Path: path, Problems: []Problem{}, Notes: []Problem{}}, open: make(map[string]Problem), kept: kept}
	v.head, v.headKnown = readHead(path)
	files, err := Files(path)
	if err != nil {
		return v.report, err
	}
	v.report.Files = append([]string{}, files...)
	for _, v.file = range files {
		if err := eachLine(v.file, v.line); err != nil {
			return v.report, err
		}
	}
	v.end()
	return v.report, nil
}

// A verifier follows the chain.
type verifier struct {
	report Report
	file   string
	// last is the record before; line and lineFile are where it stands.
	last     link
	lastLine int
	lastFile string
	begun    bool
	// broken is a line that is no record, nil if the line before is one.
	broken *brokenLine
	// open are the runs that have not ended.
	open map[string]Problem
	// head is the end of the chain as it is noted beside the log, if headKnown.
	head      link
	headKnown bool
	// kept is what is searched for; keptFound says that it is there, keptOther that another record has its number.
	kept                 Kept
	keptFound, keptOther bool
}

type brokenLine struct {
	at    Problem
	bytes int
	hash  string
}

func (v *verifier) problem(line int, seq uint64, kind, format string, args ...any) {
	v.report.Problems = append(v.report.Problems, Problem{v.file, line, seq, kind, fmt.Sprintf(format, args...)})
}

func (v *verifier) note(line int, seq uint64, kind, format string, args ...any) {
	v.report.Notes = append(v.report.Notes, Problem{v.file, line, seq, kind, fmt.Sprintf(format, args...)})
}

// line follows the chain by one line.
func (v *verifier) line(number int, line []byte, whole bool) error {
	var r Record
	if err := strictly(line, &r); err != nil || !whole {
		v.settle()
		at := Problem{File: v.file, Line: number, Kind: "unreadable", Message: "it is no record: a line was changed, or written by something else"}
		if !whole {
			at.Kind, at.Message = "cut_off", fmt.Sprintf("the last %d bytes are no whole record: it was cut off", len(line))
		}
		v.broken = &brokenLine{at, len(line), hashOf(line)}
		return nil
	}
	v.follow(number, &r)
	v.last, v.lastLine, v.lastFile, v.begun = link{r.Seq, hashOf(line)}, number, v.file, true
	v.report.Records++
	if v.report.First == 0 {
		v.report.First = r.Seq
	}
	v.report.Last, v.report.Head = r.Seq, v.last.Hash
	if v.head.Seq == r.Seq && v.head.Hash != v.last.Hash {
		v.problem(number, r.Seq, "changed", "record %d is another than the one that was written: it was changed", r.Seq)
	}
	if matches := v.last.Hash == v.kept.Hash; v.kept.Seq == 0 || v.kept.Seq == r.Seq {
		v.keptFound, v.keptOther = v.keptFound || matches, v.keptOther || !matches
	}
	v.events(number, &r)
	return nil
}

// strictly reads a record; what has other members is none.
func strictly(line []byte, r *Record) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(r); err != nil {
		return err
	}
	if decoder.InputOffset() != int64(len(line)) {
		return errors.New("something stands behind it")
	}
	if r.Seq == 0 || r.Event == "" {
		return errors.New("it has no number or no event")
	}
	return nil
}

// follow compares a record with the one before it.
func (v *verifier) follow(number int, r *Record) {
	if cut, is := truncated(r); is {
		v.settle()
		switch said := cut.summary(); {
		case cut.Noted == 0:
			v.problem(number, r.Seq, "truncated", "%s when record %d was written: it is not known whether records before it were removed", said, r.Seq)
		default:
			v.problem(number, r.Seq, "truncated", "%s, as was found when record %d was written", said, r.Seq)
		}
		if r.Prev == cut.NotedHash && r.Seq == cut.Noted+1 && v.begun && v.last == (link{cut.End, cut.EndHash}) || !v.begun && cut.End == 0 {
			return // that is all there is to say of it
		}
	}
	switch {
	case !v.begun && r.Seq == 1 && r.Prev == "":
	case !v.begun:
		v.note(number, r.Seq, "earlier", "the log begins with record %d: those before it are not here", r.Seq)
	case r.Seq == v.last.Seq+1 && r.Prev == v.last.Hash:
	case r.Seq == v.last.Seq+1 && v.broken == nil:
		v.report.Problems = append(v.report.Problems, Problem{
			v.lastFile, v.lastLine, v.last.Seq, "changed", fmt.Sprintf("record %d is another than the one that record %d was written after: it was changed", v.last.Seq, r.Seq),
		})
	case r.Seq > v.last.Seq+1 && v.broken == nil:
		v.problem(number, r.Seq, "missing", "%s missing before record %d", missing(v.last.Seq+1, r.Seq-1), r.Seq)
	case r.Seq <= v.last.Seq:
		v.problem(number, r.Seq, "swapped", "record %d stands behind record %d: records were moved, or written twice", r.Seq, v.last.Seq)
	}
	if v.broken == nil {
		return
	}
	// A line that is no record stands between the two. It is the rest of one whose process was
	// ended while it wrote, if the next record says so.
	if e, err := r.Decode(); err == nil {
		if rest, is := e.(*Recovered); is && rest.Bytes == v.broken.bytes && rest.Hash == v.broken.hash && r.Prev == v.last.Hash {
			v.report.Notes = append(v.report.Notes, Problem{v.broken.at.File, v.broken.at.Line, 0, "lost", "a process was ended while it wrote this record"})
			v.broken = nil
			return
		}
	}
	v.settle()
}

// truncated returns what a record says of a cut, if it says anything.
func truncated(r *Record) (*Truncated, bool) {
	if r.Event != KindTruncated {
		return nil, false
	}
	e, err := r.Decode()
	cut, is := e.(*Truncated)
	return cut, is && err == nil
}

// settle makes a problem of a line that is no record.
func (v *verifier) settle() {
	if v.broken != nil {
		v.report.Problems = append(v.report.Problems, v.broken.at)
		v.broken = nil
	}
}

func missing(from, to uint64) string {
	if from == to {
		return fmt.Sprintf("record %d is", from)
	}
	return fmt.Sprintf("records %d to %d are", from, to)
}

// events looks at what records say of the log itself.
func (v *verifier) events(number int, r *Record) {
	e, err := r.Decode()
	if err != nil {
		v.problem(number, r.Seq, "unreadable", "the event of record %d cannot be read: %v", r.Seq, err)
		return
	}
	switch e := e.(type) {
	case *Opened:
		v.open[r.Run] = Problem{v.file, number, r.Seq, "unfinished", fmt.Sprintf("process %d, which began here, has no end: it still runs, or what it had not written yet is missing", e.PID)}
	case *Closed:
		delete(v.open, r.Run)
	case *Loss:
		v.note(number, r.Seq, "lost", "%d events were lost: %s", e.Events, e.Reason)
	}
}

// end says what is missing at the end.
func (v *verifier) end() {
	if v.broken != nil && v.broken.at.Kind == "cut_off" && v.last.Seq >= v.head.Seq {
		// Nobody has written since: the process was ended meanwhile, or the file was cut.
		v.report.Notes = append(v.report.Notes, v.broken.at)
		v.broken = nil
	}
	v.settle()
	if v.head.Seq > v.last.Seq {
		v.file = cmp.Or(v.lastFile, v.report.Path)
		v.problem(v.lastLine, v.last.Seq, "missing", "%s missing at the end", missing(v.last.Seq+1, v.head.Seq))
	}
	if !v.headKnown && v.lastFile == v.report.Path {
		if _, written := readHead(v.report.Path); !written { // the first record may just have been written
			v.file = v.lastFile
			v.problem(v.lastLine, v.last.Seq, "truncated", "the note of the end, %s, is missing: it is not known whether records after %d were removed", headPath(v.report.Path), v.last.Seq)
		}
	}
	v.endKept()
	runs := make([]Problem, 0, len(v.open))
	for _, p := range v.open {
		runs = append(runs, p)
	}
	slices.SortFunc(runs, func(a, b Problem) int { return cmp.Compare(a.Seq, b.Seq) })
	v.report.Notes = append(v.report.Notes, runs...)
}

// endKept says that the record which was kept is not there.
func (v *verifier) endKept() {
	v.file = v.report.Path
	switch {
	case v.kept.Hash == "" || v.keptFound:
	case v.kept.Seq == 0:
		v.problem(0, 0, "missing", "no record has the hash %s: it was removed, or changed", v.kept.Hash)
	case v.keptOther:
		v.problem(0, v.kept.Seq, "changed", "record %d has another hash than the one that was kept: it, or one before it, was changed", v.kept.Seq)
	default:
		v.problem(0, v.kept.Seq, "missing", "record %d, whose hash was kept, is missing", v.kept.Seq)
	}
}
