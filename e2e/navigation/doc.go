// Package navigation asks real language servers about small projects of known
// truth. The projects are the archives in e2e/testdata/LANGUAGE; what is true of
// them stands in their own comments, so that adding a case is adding a comment.
//
// The first lines of an archive, before its files, name the servers that it is
// told to:
//
//	servers: typescript typescript-language-server
//
// A marker is a comment that begins with @. It speaks of the line it ends or, if
// it stands alone, of the nearest line above that is no marker:
//
//	func Load() {} //@ loc(load, "Load")
//	x := Load()    //@ definition("Load") = load
//	//@ references("Load") = use1 use2
//	//@ inspect("Load") ~ "func Load()"
//	//@ resolve("Config.Load") = load
//	//@ resolve("Lood") ! "nearest"
//	//@ hierarchy[pyright]("Load", "callers") = main.run
//
// loc names the place of a text in the line. Every other word is an operation of
// the catalog, asked about the first place of the text in the line (of
// completions and signature_help: about its end), or about the file if there is
// no text. "=" lists the locations, or names, that it gives, in any order, and
// nothing else ("none" for no one); "~" texts that its answer holds; "!" a text
// of its error. resolve takes any selector. In brackets stand the servers that
// it is true of, if it is not of all.
package navigation
