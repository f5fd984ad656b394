package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// A mutant is a file with one small change that a tired engineer might make.
type mutant struct {
	// file is as it was given, line counts from 1.
	file string
	line int
	// what names the function and the change.
	what   string
	source []byte
	// at is where the change begins, in bytes.
	at int
	// made counts the mutants of the file; those within others are made after them.
	made int
	// edits are what makes the change a choice of the running program; see inOne.
	edits []edit
}

func (m mutant) String() string { return fmt.Sprintf("%s:%d: %s", m.file, m.line, m.what) }

// A mutator makes the mutants of one file.
type mutator struct {
	set      *token.FileSet
	file     string
	source   []byte
	function string
	mutants  []mutant
}

// mutate returns every mutant of a source file, in the order of their places. Not all
// of them compile.
func mutate(file string, source []byte) ([]mutant, error) {
	m := &mutator{set: token.NewFileSet(), file: file, source: source}
	parsed, err := parser.ParseFile(m.set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range parsed.Decls {
		m.function = "declaration"
		if f, ok := d.(*ast.FuncDecl); ok {
			m.function = functionName(f)
		} else if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.VAR {
			continue
		}
		ast.Inspect(d, m.visit)
	}
	slices.SortStableFunc(m.mutants, func(a, b mutant) int { return a.line - b.line })
	return m.mutants, nil
}

// replace adds the mutant that has text in place of what stands from one position to
// another, and the edits that let a program choose it.
func (m *mutator) replace(from, to token.Pos, text, what string, edits ...edit) {
	at, end := m.set.Position(from), m.set.Position(to)
	m.mutants = append(m.mutants, mutant{
		file: m.file, line: at.Line, what: m.function + ": " + what, at: at.Offset, made: len(m.mutants), edits: edits,
		source: slices.Concat(m.source[:at.Offset], []byte(text), m.source[end.Offset:]),
	})
}

// around puts text before and after an expression or a statement.
func (m *mutator) around(n ast.Node, before, after string) []edit {
	from, to := m.set.Position(n.Pos()), m.set.Position(n.End())
	return []edit{{side: begins, at: from.Offset, line: from.Line, text: before}, {side: ends, at: to.Offset, line: to.Line, text: after}}
}

func (m *mutator) text(n ast.Node) string {
	return string(m.source[m.set.Position(n.Pos()).Offset:m.set.Position(n.End()).Offset])
}

func (m *mutator) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		m.condition(n)
	case *ast.BinaryExpr:
		m.binary(n)
	case *ast.BlockStmt:
		m.statements(n.List)
	case *ast.CaseClause:
		m.statements(n.Body)
	case *ast.CommClause:
		m.statements(n.Body)
	case *ast.ReturnStmt:
		m.result(n)
	case *ast.SliceExpr:
		for _, bound := range []ast.Expr{n.Low, n.High} {
			if bound != nil {
				m.replace(bound.Pos(), bound.End(), "("+m.text(bound)+")+1", "bound "+m.text(bound)+" is one more",
					m.around(bound, "mutantMore(ID, ", ")")...)
			}
		}
	case *ast.GenDecl:
		return n.Tok == token.VAR
	}
	return true
}

// condition negates a condition; of an error that is looked for none is found.
func (m *mutator) condition(n *ast.IfStmt) {
	text := m.text(n.Cond)
	if strings.HasSuffix(text, "rr != nil") {
		m.replace(n.Cond.Pos(), n.Cond.End(), "("+text+") && false", "the error is ignored", m.around(n.Cond, "(", ") && !mutantIs(ID)")...)
		return
	}
	m.replace(n.Cond.Pos(), n.Cond.End(), "!("+text+")", "if "+short(text)+" is negated", m.around(n.Cond, "mutantIs(ID) != (", ")")...)
}

// shifted are the operators that a bound or a condition is easily confused by.
var shifted = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND, token.ADD: token.SUB, token.SUB: token.ADD,
}

// chooser are the functions of a program that chooses an operator; see choices.
var chooser = map[token.Token]string{
	token.LSS: "mutantLess", token.LEQ: "mutantAtMost", token.GTR: "mutantGreater", token.GEQ: "mutantAtLeast",
	token.LAND: "mutantAnd", token.LOR: "mutantOr", token.ADD: "mutantPlus", token.SUB: "mutantMinus",
}

func (m *mutator) binary(n *ast.BinaryExpr) {
	other, ok := shifted[n.Op]
	text := n.Op == token.ADD && (isString(n.X) || isString(n.Y))
	if !ok || text {
		return
	}
	end := n.OpPos + token.Pos(len(n.Op.String()))
	edits := m.around(n, chooser[n.Op]+"(ID, ", ")")
	between := ", "
	if n.Op == token.LAND || n.Op == token.LOR {
		between, edits[1].text = ", func() bool { return (", ")})"
	}
	at := m.set.Position(n.OpPos)
	edits = append(edits, edit{side: instead, at: at.Offset, line: at.Line, cut: len(n.Op.String()), text: between})
	m.replace(n.OpPos, end, other.String(), short(m.text(n))+" with "+other.String(), edits...)
}

func isString(e ast.Expr) bool {
	if b, ok := e.(*ast.BinaryExpr); ok {
		return isString(b.X) || isString(b.Y)
	}
	l, ok := e.(*ast.BasicLit)
	return ok && l.Kind == token.STRING
}

// statements drops each statement that does something and declares nothing.
func (m *mutator) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && isLock(call) {
				continue // a test that hangs proves nothing
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || m.uses(s) {
				continue
			}
		case *ast.IncDecStmt, *ast.SendStmt:
		case *ast.BranchStmt:
			if s.Tok != token.CONTINUE {
				continue
			}
		default:
			continue
		}
		m.replace(s.Pos(), s.End(), "", "without "+short(m.text(s)), m.around(s, "if !mutantIs(ID) { ", " }")...)
	}
}

// uses reports whether an assignment is there to use a value that nobody wants.
func (m *mutator) uses(s *ast.AssignStmt) bool {
	return !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return m.text(e) != "_" }) && !strings.Contains(m.text(s), "(")
}

func isLock(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	return ok && slices.Contains([]string{"Lock", "Unlock", "RLock", "RUnlock", "Wait", "Done", "Add"}, f.Sel.Name)
}

// result changes what is returned: a truth value, a number.
func (m *mutator) result(n *ast.ReturnStmt) {
	for _, r := range n.Results {
		switch text := m.text(r); {
		case text == "true":
			m.replace(r.Pos(), r.End(), "false", "returns false", m.around(r, "!mutantIs(ID) && ", "")...)
		case text == "false":
			m.replace(r.Pos(), r.End(), "true", "returns true", m.around(r, "mutantIs(ID) || ", "")...)
		default:
			if i, err := strconv.Atoi(text); err == nil {
				m.replace(r.Pos(), r.End(), strconv.Itoa(i+1), fmt.Sprintf("returns %d", i+1), m.around(r, "mutantMore(ID, ", ")")...)
			}
		}
	}
}

// short is the beginning of a text, on one line.
func short(text string) string {
	const most = 70
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name + "." + d.Name.Name
	}
	return d.Name.Name
}
