package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
)

// A mutant is a file with one function that does not do its work.
type mutant struct {
	name   string
	source []byte
}

// equivalent are mutants that change nothing a user could notice, each with its
// reason.
var equivalent = map[string]string{}

// mutate returns two mutants for each function of a file: one that panics and
// one that returns zero values. The body stays behind the new first statement,
// so that every import is still used.
func mutate(file string) ([]mutant, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var mutants []mutant
	add := func(label string, body *ast.BlockStmt, statement string) {
		name := fmt.Sprintf("%s %s", file, label)
		if _, known := equivalent[name]; known {
			return
		}
		at := set.Position(body.Lbrace).Offset + 1
		mutants = append(mutants, mutant{name, slices.Concat(source[:at], []byte(statement), source[at:])})
	}
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body == nil || len(d.Body.List) == 0 {
				continue
			}
			label := functionName(d)
			add(label+" panics", d.Body, ` if true { panic("mutant") };`)
			add(label+" is empty", d.Body, " if true { return "+zeroValues(source, set, d.Type.Results)+" };")
		case *ast.GenDecl:
			// Operations are function literals in a declaration.
			ast.Inspect(d, func(n ast.Node) bool {
				literal, ok := n.(*ast.FuncLit)
				if ok {
					line := set.Position(literal.Pos()).Line
					label := fmt.Sprintf("func literal of line %d", line)
					add(label+" panics", literal.Body, ` if true { panic("mutant") };`)
					add(label+" is empty", literal.Body, " if true { return "+zeroValues(source, set, literal.Type.Results)+" };")
				}
				return !ok
			})
		}
	}
	return mutants, nil
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

// zeroValues writes a zero value for each result.
func zeroValues(source []byte, set *token.FileSet, results *ast.FieldList) string {
	if results == nil {
		return ""
	}
	var values []string
	for _, field := range results.List {
		from, to := set.Position(field.Type.Pos()).Offset, set.Position(field.Type.End()).Offset
		value := "*new(" + string(bytes.TrimSpace(source[from:to])) + ")"
		for range max(1, len(field.Names)) {
			values = append(values, value)
		}
	}
	return strings.Join(values, ", ")
}
