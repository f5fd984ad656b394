package result

// A Result is what an operation answers: plain data, which survives JSON both ways. Only
// pointers to types of this package are results.
type Result interface{ isResult() }

// All returns a new, zero result of every type.
func All() []Result {
	return []Result{
		new(Build), new(Capabilities), new(Check), new(ClosedTurn), new(Command), new(Completions), new(Context), new(CrossReferences),
		new(Doctor), new(Documentation), new(Done), new(Edit), new(EditingContext), new(Events),
		new(Fixes), new(Folders), new(Folds), new(Formatting), new(Hierarchy), new(Hints), new(Impact),
		new(Inspection), new(Lenses), new(Places), new(Policy), new(PreparedRename), new(Servers), new(Sessions), new(Signatures), new(Simulation),
		new(Source), new(Status), new(Symbols), new(Tests), new(Tokens), new(Turn),
	}
}

func (*Build) isResult()           {}
func (*Capabilities) isResult()    {}
func (*Check) isResult()           {}
func (*ClosedTurn) isResult()      {}
func (*Command) isResult()         {}
func (*Completions) isResult()     {}
func (*Context) isResult()         {}
func (*CrossReferences) isResult() {}
func (*Doctor) isResult()          {}
func (*Documentation) isResult()   {}
func (*Done) isResult()            {}
func (*Edit) isResult()            {}
func (*EditingContext) isResult()  {}
func (*Events) isResult()          {}
func (*Fixes) isResult()           {}
func (*Folders) isResult()         {}
func (*Folds) isResult()           {}
func (*Formatting) isResult()      {}
func (*Hierarchy) isResult()       {}
func (*Hints) isResult()           {}
func (*Impact) isResult()          {}
func (*Inspection) isResult()      {}
func (*Lenses) isResult()          {}
func (*Places) isResult()          {}
func (*Policy) isResult()          {}
func (*PreparedRename) isResult()  {}
func (*Servers) isResult()         {}
func (*Sessions) isResult()        {}
func (*Signatures) isResult()      {}
func (*Simulation) isResult()      {}
func (*Source) isResult()          {}
func (*Status) isResult()          {}
func (*Symbols) isResult()         {}
func (*Tests) isResult()           {}
func (*Tokens) isResult()          {}
func (*Turn) isResult()            {}
