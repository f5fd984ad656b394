package navigation

const twoModules = `
-- core/go.mod --
module ex/core

go 1.25
-- core/core.go --
package core

func put(k string) string { return k }

func Put(k string) string { return k }
-- app/go.mod --
module ex/app

go 1.25

require ex/core v0.0.0

replace ex/core => ../core
-- app/main.go --
package main

import "ex/core"

func main() { core.Put("a") }
`

const otherBuilds = `
-- go.mod --
module ex/m

go 1.25
-- lib/lib.go --
package lib

func Put(k string) string { return k }
-- lib/other_windows.go --
package lib

func other() { Put("w") }
-- tagged/tagged.go --
//go:build integration

package tagged

import "ex/m/lib"

func tagged() { lib.Put("t") }
`

// Each package is known to the server by itself: the go command refuses what go.mod says, because ex/dep needs a later ex/base.
const untidy = `
-- go.mod --
module ex/m

go 1.25

require (
	ex/dep v0.0.0
	ex/base v1.0.0
)

replace (
	ex/dep => ./dep
	ex/base => ./base
)
-- dep/go.mod --
module ex/dep

go 1.25

require ex/base v1.2.0
-- dep/dep.go --
package dep
-- base/go.mod --
module ex/base

go 1.25
-- lib/lib.go --
package lib

import _ "ex/dep"

func Put(k string) string { return k }
-- app/main.go --
package main

import "ex/m/lib"

func main() { lib.Put("a") }
`

// The module of the tools is in no go.work, and its go.mod does not say where ex/core is.
const notInWork = `
-- go.work --
go 1.25

use ./core
-- core/go.mod --
module ex/core

go 1.25
-- core/core.go --
package core

func Put(k string) string { return k }
-- core/more/more.go --
package more

import "ex/core"

func more() { core.Put("m") }
-- tools/go.mod --
module ex/tools

go 1.25
-- tools/main.go --
package main

import "ex/core"

func main() { core.Put("a") }
`

// The go command takes what is in these folders for no package of ./..., and builds it when somebody names it.
const leftOut = `
-- go.mod --
module ex/m

go 1.25

ignore ./ign
-- lib/lib.go --
package lib

func Put(k string) string { return k }
-- app/app.go --
package app

import "ex/m/lib"

func app() { lib.Put("a") }
-- _examples/x/main.go --
package main

import "ex/m/lib"

func example() { lib.Put("x") }
-- ign/y/main.go --
package main

import "ex/m/lib"

func ignored() { lib.Put("y") }
-- lib/testdata/z/main.go --
package main

import "ex/m/lib"

func tested() { lib.Put("z") }
-- testdata/other/main.go --
package other

func Put(k string) string { return k }

func other() { Put("o") }
`
