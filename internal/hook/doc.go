// Package hook answers the hooks that coding agents run after their tools: it reads an
// agent's payload, has the files checked that the tool changed, and says in that agent's own
// form what they broke. It says nothing where nothing is new, and never fails an agent.
package hook
