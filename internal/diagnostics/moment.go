package diagnostics

// Forget drops what was known from these servers at that moment: what they have reported about other
// files since they started is compared with nothing.
func (m *Moment) Forget(servers []Key) {
	m.forgotten = make(map[Key]bool, len(servers))
	for _, key := range servers {
		m.forgotten[key] = true
		delete(m.files, key)
		delete(m.priors, key)
	}
}

// epochOf returns the epoch after which a server's findings for other files are listed.
func (m *Moment) epochOf(server Key) uint64 {
	if m.forgotten[server] {
		return 0
	}
	return m.epoch
}
