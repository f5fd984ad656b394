package replay

import (
	"encoding/json"
	"slices"
	"strconv"
)

// A publish is what a message of the server's says diagnostics of: a version of a document.
type publish struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version"`
}

// publishOf returns what a message publishes diagnostics of, nil if it publishes none, or names no version.
func publishOf(m message) *publish {
	var p publish
	if m.Method != "textDocument/publishDiagnostics" || json.Unmarshal(m.Params, &p) != nil || p.Version == nil {
		return nil
	}
	return &p
}

// unknownVersion is older than each version of a document.
const unknownVersion = 0

// publish says diagnostics of a version. The client's documents may have other versions than in the trace, so it names the one
// that the client's has now, if that is the same; else one that is older than all, and [playing.catchUp] says it again once
// it is the same.
func (p *playing) publish(e event) error {
	version := int32(unknownVersion)
	if now, same := p.same(e.about); same && e.state == p.texts.state() {
		version = now
	}
	return p.publishAs(e, version)
}

// same returns the version that the client's document has now, and whether it is the one of the trace that was published of: it has
// the same text, and was shown when all texts were the same, where the trace has that text in several versions. For a client shows a
// server the same text again to be told of it as others have become.
func (p *playing) same(about *publish) (int32, bool) {
	now, open := p.texts.now(about.URI)
	all := p.judged[about.URI]
	at := slices.IndexFunc(all, func(v shown) bool { return v.version == *about.Version })
	if !open || at < 0 {
		return 0, false
	}
	again := slices.ContainsFunc(all, func(v shown) bool { return v.text == all[at].text && v.version != all[at].version })
	return now.version, now.text == all[at].text && (!again || now.state == all[at].state)
}

func (p *playing) publishAs(e event, version int32) error {
	p.told[e.about.URI] = version
	if version == *e.about.Version {
		return p.send(e.message)
	}
	var params map[string]json.RawMessage
	if err := json.Unmarshal(e.Params, &params); err != nil {
		return err
	}
	params["version"] = json.RawMessage(strconv.Itoa(int(version)))
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	e.Params = text
	return p.send(e.message)
}

// catchUp says again what had been published of the documents when the texts were last as they are now, of those that the
// client has another version of since that was said.
func (p *playing) catchUp() error {
	waiting := make(map[string]bool)
	for uri := range p.judged {
		if now, open := p.texts.now(uri); open && p.told[uri] != now.version {
			waiting[uri] = true
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	state := p.texts.state()
	last := p.place - 1
	for last >= 0 && p.said[last].state != state {
		last--
	}
	if last < 0 {
		return nil
	}
	var again []event
	var versions []int32
	for i := last; i >= 0 && len(waiting) > 0; i-- {
		e := p.said[i]
		if e.about == nil || !waiting[e.about.URI] {
			continue
		}
		if now, same := p.same(e.about); same {
			delete(waiting, e.about.URI)
			again, versions = append(again, e), append(versions, now)
		}
	}
	for i, e := range slices.Backward(again) {
		if err := p.publishAs(e, versions[i]); err != nil {
			return err
		}
	}
	return nil
}

// judgedIn returns the versions of the documents of which diagnostics of a version are published.
func judgedIn(said []event, there texts) map[string][]shown {
	versions := make(map[string][]shown)
	for _, e := range said {
		if e.about != nil {
			versions[e.about.URI] = there.shown[e.about.URI]
		}
	}
	return versions
}
