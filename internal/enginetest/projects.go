package enginetest

// GoProject is a module of a library with its test, a package that uses it, and a program.
const GoProject = `
-- go.mod --
module example.com/m

go 1.24
-- calc/calc.go --
package calc

// Adder adds.
type Adder struct{ Sum int }

func (a *Adder) Add(n int) { a.Sum = Add(a.Sum, n) }

func Add(a, b int) int { return a + b }

func Twice(a int) int { return Add(a, a) }

func unseen() {}

func Unused() { unseen() }

func Again(n int) int { return Again(n - 1) }
-- calc/calc_test.go --
package calc

import "testing"

func TestBoth(t *testing.T) {
	if Add(1, 1) != Twice(1) {
		t.Fail()
	}
}
-- app/app.go --
package app

import "example.com/m/calc"

func Run() int {
	var a calc.Adder
	a.Add(calc.Twice(2))
	return a.Sum
}

var total = calc.Add(1, 2) + calc.Add(3, 4)
-- cmd/main.go --
package main

import "example.com/m/app"

func main() { app.Run() }
`
