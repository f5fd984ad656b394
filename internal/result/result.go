package result

// A Result is what an operation answers: plain data, which survives JSON both ways. Only
// pointers to types of this package are results: those with a [Head], and two that say all of it themselves.
type Result interface{ isResult() }

func (*Head) isResult()   {}
func (*Check) isResult()  {}
func (*Status) isResult() {}
