// Package hook answers the hooks that coding agents run after their tools. It reads the agent's
// payload, has the changed files checked, and reports what the change broke in the form that the
// agent expects. If nothing new is broken it reports nothing, and it never makes an agent's tool
// fail.
package hook
