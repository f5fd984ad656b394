package registry

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	godiff "github.com/google/go-cmp/cmp"
)

//go:generate go test . -run "TestReferenceIsFresh|TestIsBuiltin" -update

var update = flag.Bool("update", false, "write the generated page")

const referencePage = "../../docs/reference/servers.md"

// The reference of the servers is what the entries say, on whatever system it is written.
func TestReferenceIsFresh(t *testing.T) {
	page := reference(builtinOn("linux"))
	if *update {
		if err := os.WriteFile(referencePage, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile(referencePage)
	if err != nil {
		t.Fatal(err)
	}
	if diff := godiff.Diff(string(committed), page); diff != "" {
		t.Errorf("%s is old; run: make generate\n%s", referencePage, diff)
	}
}

// A cell of a table never breaks it, whatever an entry holds.
func TestReferenceCellsAreWhole(t *testing.T) {
	lines := strings.Split(reference(builtinOn("linux")), "\n")
	columns := 0
	for i, line := range lines {
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if columns == 0 {
			columns = n
		}
		if n != columns {
			t.Errorf("line %d has %d bars, its table %d: %s", i+1, n, columns, line)
		}
	}
}

func reference(table Table) string {
	var b strings.Builder
	proven := 0
	for _, d := range table {
		if d.Tested == CI {
			proven++
		}
	}
	fmt.Fprintf(&b, `# Language servers

LSPine knows %d language servers without any configuration. It does not download them by itself: it starts what is in
%[2]sPATH%[2]s when the first file needs it. Every field of an entry can be overridden, and other servers added, below %[2]slsp.servers%[2]s in
the configuration. Generated from %[2]sinternal/registry%[2]s (%[2]smake generate%[2]s).

* **proven** (%[3]d): the test suite drives the real server, and checks that no answer is wrong or stale.
* **listed**: written from documentation and from measurements of the server alone.
* **(optional)**: it does not count as missing if it is not installed. An edit of a file that only such servers handle needs
  no judgement, and is not rejected for lack of one.

[Which server for which language](#which-server-for-which-language) ·
[All servers](#all-servers) ·
[What ends a line](#what-ends-a-line) ·
[What they run of a project](#what-they-run-of-a-project) ·
[How to install them](#how-to-install-them)
`, len(table), "`", proven)
	byLanguage(&b, table)
	allServers(&b, table)
	endsOfLines(&b, table)
	executions(&b, table)
	installation(&b, table)
	return b.String()
}

// endsOfLines lists what ends a line for the servers of which it is known.
func endsOfLines(b *strings.Builder, table Table) {
	b.WriteString("\n## What ends a line\n\n" +
		"Everybody ends a line at `\\n` and `\\r\\n`. On `\\r` alone, vertical tabs, form feeds, U+0085, U+2028 and U+2029 servers\n" +
		"disagree. LSPine counts as LSP does, for which only `\\r` alone is another end, and restates what the servers in this table say\n" +
		"and propose. If a file has one of these characters and its server is not in the table, answers say that lines below it may be\n" +
		"wrong, and what the server proposes for the file (renames, fixes, formatting) is refused, as are edits that are known to be wrong.\n\n" +
		"| server | besides, it ends a line at | in its edits | with which its edits are wrong |\n|---|---|---|---|\n")
	cell := func(ends string) string {
		var names []string
		for _, r := range ends {
			name := fmt.Sprintf("%U", r)
			if r == '\r' {
				name = "`\\r`"
			}
			names = append(names, name)
		}
		return cmp.Or(strings.Join(names, ", "), "nothing")
	}
	for _, d := range table {
		if l := d.Lines; l != nil {
			read := cell(l.Reported)
			if l.Read != l.Reported {
				read += "; reading, at " + cell(l.Read)
			}
			fmt.Fprintf(b, "| [%s](#%s) | %s | %s | %s |\n", d.ID, anchor(d.ID), read, cell(l.Edited), cell(l.Torn))
		}
	}
}

// executions lists what servers run of a project, and what is left of that in a checkout that is not trusted.
func executions(b *strings.Builder, table Table) {
	b.WriteString("\n## What they run of a project\n\n" +
		"In a checkout that is not trusted, nothing of the checkout runs: a server of this table does without, and its answers say what\n" +
		"they lack, or it does not start. `lspine trust` changes that ([trust](../guides/servers.md#checkouts-that-are-not-trusted)).\n" +
		"Servers that Node.js runs cannot load a module of such a checkout, whatever they are. Servers that are not in this table run\n" +
		"nothing of a project; a server that only your own configuration names runs everywhere, because you said so.\n\n" +
		"| server | it runs | in a checkout that is not trusted | known from |\n|---|---|---|---|\n")
	var unknown []string
	for _, d := range table {
		e := d.Executes
		switch e.What {
		case ExecutesNothing:
			continue
		case ExecutesUnknown:
			unknown = append(unknown, "`"+d.ID+"`")
			continue
		}
		untrusted := "does not start"
		if r := e.Restraint; r != nil {
			untrusted = "without that; its answers are whole"
			if r.Lacks != "" {
				untrusted = "without " + r.Lacks
			}
			if len(r.LacksBy) > 0 {
				untrusted += ", where there is " + list(r.LacksBy)
			}
			if len(r.Undone) > 0 {
				untrusted += "; does not start where there is " + undone(r)
			}
		}
		fmt.Fprintf(b, "| [%s](#%s) | %s: %s | %s | %s |\n", d.ID, anchor(d.ID), e.What, e.How, untrusted, e.Source)
	}
	fmt.Fprintf(b, "\nNobody has found out what these run, so they do not start there: %s.\n", strings.Join(unknown, ", "))
}

// undone lists what undoes a restraint.
func undone(r *Restraint) string {
	var parts []string
	for _, name := range r.Undone {
		part := "`" + name + "`"
		if keys := r.UndoneBy[name]; keys != nil {
			part += " (with " + list(keys) + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}

// byLanguage lists what serves the files of each language, in order.
func byLanguage(b *strings.Builder, table Table) {
	b.WriteString("\n## Which server for which language\n\n" +
		"Of the servers that navigate, the first one that is installed and finds its project runs. Linters run in addition\n" +
		"to it where their own configuration exists.\n\n" +
		"| language | files | server | linters |\n|---|---|---|---|\n")
	type row struct{ patterns, servers, linters []string }
	rows := make(map[string]*row)
	for _, d := range preferred(table) {
		for _, l := range d.Languages {
			r := rows[l.ID]
			if r == nil {
				r = &row{}
				rows[l.ID] = r
			}
			link := "[" + d.ID + "](#" + anchor(d.ID) + ")"
			if d.Role == DiagnosticsOnly {
				r.linters = append(r.linters, link)
			} else {
				r.servers = append(r.servers, link)
			}
			for _, p := range l.Patterns {
				if p = shown(p); !slices.Contains(r.patterns, p) {
					r.patterns = append(r.patterns, p)
				}
			}
		}
	}
	var ids []string
	for id := range rows {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		r := rows[id]
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", id, list(r.patterns), strings.Join(r.servers, ", "), strings.Join(r.linters, ", "))
	}
}

// anchor is the name of a row, so that it can be linked to.
func anchor(id string) string { return "server-" + strings.ReplaceAll(id, ".", "-") }

func allServers(b *strings.Builder, table Table) {
	b.WriteString("\n## All servers\n\n" +
		"A server runs in the nearest folder, from the file upwards, that contains its best marker.\n" +
		"[diagnostics.md](../design/diagnostics.md) explains how we know that it has reported everything about a version of a file,\n" +
		"[roots.md](../design/roots.md) what one process does with several such folders.\n\n" +
		"| server | files | command | runs where | one process for | complete when | |\n|---|---|---|---|---|---|---|\n")
	for i := range table {
		d := &table[i]
		fmt.Fprintf(b, "| <a id=\"%s\"></a>%s | %s | %s | %s | %s | %s | %s |\n",
			anchor(d.ID), d.ID, list(patterns(d)), commands(d), place(d), sharing(d), completeness(d), standing(d))
	}
}

// sharing says which roots one process serves.
func sharing(d *Definition) string {
	return map[Sharing]string{
		OneRoot: "one root", Discovers: "all roots, which it finds itself", TakesFolders: "all roots, as workspace folders", Connected: "roots that depend on each other, as workspace folders",
	}[d.Sharing]
}

func patterns(d *Definition) []string {
	var all []string
	for _, l := range d.Languages {
		for _, p := range l.Patterns {
			all = append(all, shown(p))
		}
	}
	return all
}

// shown returns a pattern as people write it.
func shown(pattern string) string {
	if name, dotted := strings.CutPrefix(pattern, "[.]"); dotted {
		return "." + name
	}
	if strings.HasPrefix(pattern, ".") {
		return "*" + pattern
	}
	return pattern
}

// most is how many names a cell lists.
const most = 12

func list(names []string) string {
	var quoted []string
	for _, n := range names[:min(most, len(names))] {
		quoted = append(quoted, "`"+n+"`")
	}
	if more := len(names) - most; more > 0 {
		quoted = append(quoted, fmt.Sprintf("%d more", more))
	}
	return strings.Join(quoted, " ")
}

func commands(d *Definition) string {
	var all []string
	for _, c := range d.Commands {
		line := "`" + strings.Join(append([]string{c.Binary}, c.Args...), " ") + "`"
		if p := c.Package; p != nil {
			line += fmt.Sprintf(" of %s %d", p.Name, p.MinMajor)
			if p.MaxMajor == 0 {
				line += " or later"
			}
		}
		all = append(all, line)
	}
	return strings.ReplaceAll(strings.Join(all, ", else "), "|", `\|`)
}

func place(d *Definition) string {
	var parts []string
	switch {
	case d.OptIn:
		parts = append(parts, "only where the configuration names it")
	case len(d.Requires) > 0:
		parts = append(parts, "only below "+list(d.Requires))
	}
	if len(d.Roots) > 0 && !slices.Equal(d.Roots, d.Requires) {
		parts = append(parts, list(d.Roots))
	}
	if d.SingleFile {
		parts = append(parts, "anywhere")
	}
	where := strings.Join(parts, ", else ")
	if d.OptIn || len(d.Requires) > 0 {
		where = strings.Join(parts, ": ")
	}
	if len(d.Excludes) > 0 {
		where += "; not below " + list(d.Excludes)
	}
	return where
}

// completeness says how it is known that a server has reported everything.
func completeness(d *Definition) string {
	s := d.Diagnostics
	how := "it publishes, and then is quiet"
	for _, strategy := range s.Strategies[:min(1, len(s.Strategies))] {
		switch strategy {
		case Pull:
			how = "it answers a pull"
		case DiagnosisCommand:
			how = "it answers `" + s.Commands[0].Command + "`"
		case Progress:
			how = "its progress ends"
		case Barrier:
			how = "it publishes for the version, prompted by a queued request"
		case Versioned:
			how = "it publishes for the version"
		case Settled:
		default:
			panic(fmt.Sprintf("the strategy %q has no words", strategy))
		}
	}
	if s.Provocation != "" {
		how += "; if it publishes nothing, it is shown the text with an error appended, then the text again"
	}
	if s.NeedsSave {
		how = "the file is saved, and " + how
	}
	if s.Disk != nil && s.Disk.Whole {
		how = "`" + s.Disk.Title + "` of the files on disk ends; for unsaved text, " + how
	}
	return how
}

func standing(d *Definition) string {
	text := map[Tested]string{CI: "**proven**", Listed: "listed"}[d.Tested]
	if d.Optional {
		text += " (optional)"
	}
	return cmp.Or(text, "?")
}

func installation(b *strings.Builder, table Table) {
	b.WriteString("\n## How to install them\n\n| server | one of |\n|---|---|\n")
	for _, d := range table {
		var ways []string
		for _, way := range d.Install {
			if page, ok := strings.CutPrefix(way, "see "); ok {
				ways = append(ways, "<"+page+">")
				continue
			}
			way := "`" + strings.ReplaceAll(way, "|", `\|`) + "`"
			if _, there := pinOn("windows", d.ID); !there && strings.HasPrefix(way, "`lspine ") {
				way += " (not on Windows)"
			}
			ways = append(ways, way)
		}
		fmt.Fprintf(b, "| %s | %s |\n", d.ID, strings.Join(ways, "<br>"))
	}
}
