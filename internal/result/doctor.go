package result

// The levels of a symptom, from best to worst.
const (
	LevelOK      = "ok"
	LevelNote    = "note"
	LevelProblem = "problem"
)

// A Doctor explains why servers report on a workspace or on files, or why they do not.
type Doctor struct {
	Head
	Root  string   `json:"root" jsonschema:"the workspace root"`
	Files []string `json:"files,omitempty" jsonschema:"the requested files; none for the whole workspace"`
	// Level is that of the worst symptom.
	Level     string         `json:"level" jsonschema:"the worst of all symptoms: ok, note or problem"`
	Languages []string       `json:"languages" jsonschema:"LSP language ids that servers know"`
	Symptoms  []Symptom      `json:"findings" jsonschema:"symptoms of the configuration, the workspace and the files"`
	Servers   []ServerReport `json:"servers" jsonschema:"the servers for them, each started once"`
	// Passed are the servers that know a file and are not asked about it.
	Passed []PassedOver `json:"passed_over,omitempty" jsonschema:"servers that handle such files and are not asked"`
	TookMS int64        `json:"took_ms"`
}

// A Symptom is what was found in one step.
type Symptom struct {
	Level   string `json:"level" jsonschema:"ok, note or problem"`
	Step    string `json:"step" jsonschema:"configuration, workspace, file, binary, root, project, history, start, initialize, probe, answers or operations"`
	Message string `json:"message"`
	// Details are lines that say more, such as what a server wrote before it ended.
	Details []string `json:"details,omitempty"`
	// Next is the command to type.
	Next   string `json:"next,omitempty" jsonschema:"the command to type next"`
	TookMS int64  `json:"took_ms,omitempty" jsonschema:"how long the step took"`
}

// A ServerReport is about one server for one root, and what was found out about it.
type ServerReport struct {
	ID    string `json:"id"`
	Level string `json:"level" jsonschema:"the worst of its symptoms: ok, note or problem"`
	Root  string `json:"root"`
	// Marker is the file that chose the root, "" if there is none.
	Marker string `json:"marker,omitempty" jsonschema:"the file that chose the root"`
	// Files is how many files of the workspace need it.
	Files   int      `json:"files,omitempty" jsonschema:"how many files of the workspace need it"`
	Binary  string   `json:"binary,omitempty"`
	Args    []string `json:"args,omitempty"`
	Version string   `json:"version,omitempty"`
	Proven  bool     `json:"proven" jsonschema:"whether the project's own tests run this server"`
	// Strategies say how its diagnostics are known to be complete.
	Strategies []string `json:"strategies,omitempty" jsonschema:"how its diagnostics are known to be complete, best first"`
	Probe      string   `json:"probe,omitempty" jsonschema:"the file that was shown to it"`
	Freshness  string   `json:"freshness,omitempty" jsonschema:"freshness of its answer: fresh, partial, timeout, indexing or unavailable"`
	Errors     int      `json:"errors,omitempty" jsonschema:"number of errors it found in the probe"`
	// Operations are ours that it can do; Missing those that it cannot.
	Operations []string  `json:"operations,omitempty"`
	Missing    []string  `json:"missing,omitempty" jsonschema:"operations that it does not offer"`
	Symptoms   []Symptom `json:"findings"`
}

// PassedOver is a server that is not asked, with the reason.
type PassedOver struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// Judge sets the levels of the servers and of the whole to that of the worst
// symptom.
func (d *Doctor) Judge() {
	d.Level = worstLevel(LevelOK, d.Symptoms)
	for i := range d.Servers {
		p := &d.Servers[i]
		p.Level = worstLevel(LevelOK, p.Symptoms)
		d.Level = worse(d.Level, p.Level)
	}
}

func worstLevel(level string, symptoms []Symptom) string {
	for _, s := range symptoms {
		level = worse(level, s.Level)
	}
	return level
}

func worse(a, b string) string {
	if a == LevelProblem || b == LevelProblem {
		return LevelProblem
	}
	if a == LevelNote || b == LevelNote {
		return LevelNote
	}
	return LevelOK
}
