package result

import "time"

// A Status lists the known servers and their states.
type Status struct {
	Root    string   `json:"root" jsonschema:"the workspace root"`
	Servers []Server `json:"servers" jsonschema:"by id"`
	// Disabled says that the configuration switches everything off.
	Disabled bool `json:"disabled,omitempty" jsonschema:"LSP is disabled by configuration"`
	// Omitted counts the known servers that are left out: they are not there, and
	// nobody needs them here.
	Omitted int `json:"omitted,omitempty" jsonschema:"known servers that are not needed here"`
	// Problems are what is wrong with the configuration.
	Problems []string `json:"problems,omitempty"`
	// Cut says what was left out for a budget.
	Cut string `json:"cut,omitempty" jsonschema:"what was left out and how to get it"`
	// Budget bounds the text where leaving out servers is not enough; 0 is no bound.
	Budget int `json:"budget,omitempty" jsonschema:"size limit of the text in bytes, if leaving out parts was not enough"`
}

// A Server is the state of one known server.
type Server struct {
	ID        string   `json:"id"`
	Language  string   `json:"language,omitempty" jsonschema:"the language id of its files, or of the first of them"`
	Source    string   `json:"source,omitempty" jsonschema:"registered where a configuration names it, else auto-detected"`
	State     string   `json:"state" jsonschema:"starting, active, broken, stopped, disabled, unavailable or untrusted"`
	Root      string   `json:"root,omitempty"`
	Binary    string   `json:"binary,omitempty" jsonschema:"its program, or the address of a server that somebody else runs"`
	Reason    string   `json:"reason,omitempty"`
	Hint      string   `json:"hint,omitempty"`
	Version   string   `json:"version,omitempty"`
	Pid       int      `json:"pid,omitempty"`
	Encoding  string   `json:"encoding,omitempty"`
	UptimeMS  int64    `json:"uptime_ms,omitempty"`
	Documents int      `json:"open_documents,omitempty"`
	Starts    int      `json:"starts,omitempty"`
	Crashes   int      `json:"crashes,omitempty"`
	Memory    int64    `json:"memory,omitempty" jsonschema:"with measurements: bytes that its processes use, if that is known"`
	Strategy  string   `json:"strategy,omitempty" jsonschema:"how its diagnostics are known to be complete"`
	Works     []string `json:"works,omitempty" jsonschema:"the progress that the server reports"`
	Figures   *Figures `json:"figures,omitempty" jsonschema:"statistics of its answers"`
}

// Figures are what was counted of the answers of one server about diagnostics.
type Figures struct {
	// Checks is how many files it was asked about, Timeouts how often it had not answered
	// completely when the deadline came.
	Checks   int `json:"checks" jsonschema:"how often it was asked about a file"`
	Timeouts int `json:"timeouts" jsonschema:"how often it had not answered completely by the deadline"`
	// MedianMS and SlowMS are quantiles of the time until an answer was complete.
	MedianMS int64 `json:"median_ms" jsonschema:"median time of its recent complete answers"`
	SlowMS   int64 `json:"slow_ms" jsonschema:"95th percentile of the times of its recent complete answers"`
	// Diagnostics is how many it said of all these files, whatever their severity.
	Diagnostics int `json:"diagnostics" jsonschema:"number of diagnostics it reported, of all severities"`
	// Recent are its most recent answers, the oldest first, if they were asked for.
	Recent []Sample `json:"recent,omitempty" jsonschema:"with measurements: its most recent answers, the oldest first, at most 256"`
}

// A Sample is one answer of a server about a file.
type Sample struct {
	Time      time.Time `json:"time" jsonschema:"when it came"`
	TookMS    int64     `json:"took_ms"`
	Freshness string    `json:"freshness" jsonschema:"fresh, partial, timeout, indexing or unavailable"`
}
