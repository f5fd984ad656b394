package edit

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/lspine/lspine/internal/protocol"
)

// A WorkspaceEdit is a list of changes that a server asks for, in order (LSP, WorkspaceEdit).
type WorkspaceEdit struct {
	Operations []Operation
	// Annotations explain the edits that refer to their id.
	Annotations map[string]Annotation
}

// An Annotation describes a part of a change for people.
type Annotation struct {
	Label, Description string
	NeedsConfirmation  bool
}

// An OperationKind says what an [Operation] does.
type OperationKind string

const (
	EditText   OperationKind = "edit"
	CreateFile OperationKind = "create"
	RenameFile OperationKind = "rename"
	DeleteFile OperationKind = "delete"
)

// An Operation is one step of a [WorkspaceEdit].
type Operation struct {
	Kind OperationKind
	URI  protocol.DocumentURI // of the old file for a rename
	To   protocol.DocumentURI // of the new file for a rename
	// Version is the version of the document that the edits are for, nil if the server gave none.
	Version *int64
	Edits   []AnnotatedEdit
	// Existing is for create and rename, Missing for delete.
	Existing   Existing
	Missing    Missing
	Annotation string // id, of a file operation
}

// An AnnotatedEdit is a text edit with the id of its annotation, or "". The
// range is as the server counts.
type AnnotatedEdit struct {
	TextEdit
	Annotation string
}

// Workspace adds all of a server's edit to the plan, in its order. Edits of one document refer to
// its text before all of them, even if they come in several parts; positions are counted as
// counting says. An edit that comes twice is made once. The caller compares the versions.
func (p *Plan) Workspace(w WorkspaceEdit, counting protocol.Counting) error {
	return p.allOrNone(func() error {
		for i, op := range w.Operations {
			if err := p.operate(op, counting); err != nil {
				return fmt.Errorf("operation %d (%s): %w", i+1, op.Kind, err)
			}
		}
		return nil
	})
}

func (p *Plan) operate(op Operation, counting protocol.Counting) error {
	path, err := op.URI.Path()
	if err != nil {
		return err
	}
	switch op.Kind {
	case EditText:
		f, err := p.text(path)
		if err != nil {
			return err
		}
		return p.ranges(f, onceEach(op.Edits), counting, true)
	case CreateFile:
		return p.Create(path, op.Existing)
	case DeleteFile:
		return p.Delete(path, op.Missing)
	case RenameFile:
		to, err := op.To.Path()
		if err != nil {
			return err
		}
		return p.Rename(path, to, op.Existing)
	}
	return &InvalidEditError{path, fmt.Sprintf("unknown operation %q", op.Kind)}
}

// onceEach drops replacements that are there twice; inserts may be meant so.
func onceEach(annotated []AnnotatedEdit) []TextEdit {
	var edits []TextEdit
	for _, e := range annotated {
		if e.Range.Start == e.Range.End || !slices.Contains(edits, e.TextEdit) {
			edits = append(edits, e.TextEdit)
		}
	}
	return edits
}

// wireWorkspaceEdit and what follows are the JSON of LSP 3.18.
type wireWorkspaceEdit struct {
	Changes           map[string][]wireEdit     `json:"changes"`
	DocumentChanges   []wireOperation           `json:"documentChanges"`
	ChangeAnnotations map[string]wireAnnotation `json:"changeAnnotations"`
}

type wireAnnotation struct {
	Label             string `json:"label"`
	NeedsConfirmation bool   `json:"needsConfirmation"`
	Description       string `json:"description"`
}

type wireOperation struct {
	Kind         string `json:"kind"`
	TextDocument *struct {
		URI     string          `json:"uri"`
		Version json.RawMessage `json:"version"`
	} `json:"textDocument"`
	Edits   []wireEdit `json:"edits"`
	URI     string     `json:"uri"`
	OldURI  string     `json:"oldUri"`
	NewURI  string     `json:"newUri"`
	Options struct {
		Overwrite         bool `json:"overwrite"`
		IgnoreIfExists    bool `json:"ignoreIfExists"`
		Recursive         bool `json:"recursive"`
		IgnoreIfNotExists bool `json:"ignoreIfNotExists"`
	} `json:"options"`
	AnnotationID string `json:"annotationId"`
}

type wireEdit struct {
	Range *struct {
		Start, End *wirePosition
	} `json:"range"`
	NewText *string `json:"newText"`
	Snippet *struct {
		Value string `json:"value"`
	} `json:"snippet"`
	// InsertTextFormat 2 marks a snippet in newText (rust-analyzer).
	InsertTextFormat int    `json:"insertTextFormat"`
	AnnotationID     string `json:"annotationId"`
}

// wirePosition has floats: some servers send the greatest number they know as the end of a text.
type wirePosition struct {
	Line, Character float64
}

// DecodeWorkspaceEdit decodes a WorkspaceEdit of any LSP version. It takes
// documentChanges if they are there, otherwise changes, sorted by URI. Snippets
// become plain text, edits of one document next to each other one operation.
// null is an empty edit. Anything that cannot be made sense of is an error, as
// half of an edit is worse than none; members it does not know are ignored.
func DecodeWorkspaceEdit(raw json.RawMessage) (WorkspaceEdit, error) {
	var wire wireWorkspaceEdit
	if err := json.Unmarshal(raw, &wire); err != nil {
		return WorkspaceEdit{}, fmt.Errorf("workspace edit: %w", err)
	}
	var w WorkspaceEdit
	for id, a := range wire.ChangeAnnotations {
		if w.Annotations == nil {
			w.Annotations = make(map[string]Annotation)
		}
		w.Annotations[id] = Annotation{a.Label, a.Description, a.NeedsConfirmation}
	}
	for i, o := range wire.DocumentChanges {
		op, err := o.operation()
		if err != nil {
			return WorkspaceEdit{}, fmt.Errorf("workspace edit: documentChanges[%d]: %w", i, err)
		}
		w.add(op)
	}
	if wire.DocumentChanges != nil {
		return w, nil
	}
	uris := make([]string, 0, len(wire.Changes))
	for uri := range wire.Changes {
		uris = append(uris, uri)
	}
	sort.Strings(uris)
	for _, uri := range uris {
		edits, err := textEdits(wire.Changes[uri])
		if err != nil {
			return WorkspaceEdit{}, fmt.Errorf("workspace edit: changes[%q]: %w", uri, err)
		}
		w.add(Operation{Kind: EditText, URI: protocol.DocumentURI(uri), Edits: edits})
	}
	return w, nil
}

// add appends op, or joins its edits to those of the same document that come
// before it with no file operation between.
func (w *WorkspaceEdit) add(op Operation) {
	for i := len(w.Operations) - 1; i >= 0 && op.Kind == EditText; i-- {
		last := &w.Operations[i]
		if last.Kind != EditText {
			break
		}
		if sameDocument(last.URI, op.URI) {
			last.Edits = append(last.Edits, op.Edits...)
			return
		}
	}
	w.Operations = append(w.Operations, op)
}

func sameDocument(a, b protocol.DocumentURI) bool {
	pathA, errA := a.Path()
	pathB, errB := b.Path()
	return a == b || errA == nil && errB == nil && pathA == pathB
}

func (o wireOperation) operation() (Operation, error) {
	op := Operation{
		Kind: OperationKind(o.Kind), URI: protocol.DocumentURI(o.URI), Annotation: o.AnnotationID,
		Existing: Existing{o.Options.Overwrite, o.Options.IgnoreIfExists},
		Missing:  Missing{o.Options.Recursive, o.Options.IgnoreIfNotExists},
	}
	switch {
	case o.Kind == "" && o.TextDocument != nil:
		op = Operation{Kind: EditText, URI: protocol.DocumentURI(o.TextDocument.URI)}
		_ = json.Unmarshal(o.TextDocument.Version, &op.Version) // what is no number is not said
		var err error
		if op.Edits, err = textEdits(o.Edits); err != nil {
			return Operation{}, err
		}
	case op.Kind == RenameFile:
		op.URI, op.To = protocol.DocumentURI(o.OldURI), protocol.DocumentURI(o.NewURI)
		if op.To == "" {
			return Operation{}, errors.New("a rename without newUri")
		}
	case op.Kind != CreateFile && op.Kind != DeleteFile:
		return Operation{}, fmt.Errorf("neither a text document edit nor create, rename or delete (kind %q)", o.Kind)
	}
	if op.URI == "" {
		return Operation{}, fmt.Errorf("%s without a URI", op.Kind)
	}
	return op, nil
}

func textEdits(wire []wireEdit) ([]AnnotatedEdit, error) {
	var edits []AnnotatedEdit
	for i, e := range wire {
		if e.Range == nil || e.Range.Start == nil || e.Range.End == nil {
			return nil, fmt.Errorf("edit %d has no range", i)
		}
		start, okStart := e.Range.Start.position()
		end, okEnd := e.Range.End.position()
		if !okStart || !okEnd {
			return nil, fmt.Errorf("edit %d has a range of no positions", i)
		}
		text := ""
		switch {
		case e.Snippet != nil:
			text = plainSnippet(e.Snippet.Value)
		case e.NewText == nil:
			return nil, fmt.Errorf("edit %d has no text", i)
		case e.InsertTextFormat == 2:
			text = plainSnippet(*e.NewText)
		default:
			text = *e.NewText
		}
		edits = append(edits, AnnotatedEdit{TextEdit{protocol.Range{Start: start, End: end}, text}, e.AnnotationID})
	}
	return edits, nil
}

// position fails for what is negative or no whole number.
func (w wirePosition) position() (protocol.Position, bool) {
	whole := func(f float64) (uint32, bool) {
		return uint32(min(max(f, 0), math.MaxUint32)), f >= 0 && f == math.Trunc(f)
	}
	line, okLine := whole(w.Line)
	character, okCharacter := whole(w.Character)
	return protocol.Position{Line: line, Character: character}, okLine && okCharacter
}
