package policy

// builtin are the rules that decide where none of the user's does. Questions to language servers
// only read. What runs programs is asked about; in interactive use whoever cannot be asked may go
// on, since the host that he called us from has tools of its own to run programs with.
var builtin = []Rule{
	{Match: Match{Class: []string{string(Read)}}, Action: Allow},
	{Match: Match{Class: []string{string(Execute)}, Mode: []string{string(Interactive)}}, Action: Ask, Fallback: Allow, Reason: "it runs programs"},
	{Match: Match{Class: []string{string(Execute)}}, Action: Ask, Fallback: Deny, Reason: "it runs programs"},
	{Match: Match{Class: []string{string(Edit)}, Mode: []string{string(Sensitive)}}, Action: Ask, Fallback: Deny, Reason: "it changes files"},
	{Match: Match{Class: []string{string(Edit)}}, Action: Allow},
	{Match: Match{Class: []string{string(Admin)}, Mode: []string{string(Sensitive)}}, Action: Ask, Fallback: Deny, Reason: "it changes which servers run"},
	{Match: Match{Class: []string{string(Admin)}}, Action: Allow},
}
