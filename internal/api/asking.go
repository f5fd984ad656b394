package api

import (
	"context"
	"slices"

	"github.com/lspine/lspine/internal/policy"
	"github.com/lspine/lspine/internal/result"
)

// An Action is what a rule of a policy does with a call.
type Action = policy.Action

// The actions.
const (
	Allow = policy.Allow
	Ask   = policy.Ask // a person decides
	Deny  = policy.Deny
)

// A Permission is the rule that a front has for one of its tools.
type Permission struct {
	Action Action `json:"action,omitempty"`
	// Fallback is what an ask comes to where nobody can be asked; "" is Deny.
	Fallback Action `json:"fallback,omitempty"`
	// Source says where the rule is from, for the error of a call that it denies; Advice what the
	// user can do.
	Source string `json:"source,omitempty"`
	Advice string `json:"advice,omitempty"`
}

// An Answer is what a person said to a question of the policy.
type Answer struct {
	// Question is the id of the question.
	Question string `json:"question"`
	Said     Said   `json:"said"`
}

// Said is what a person said.
type Said string

// What a person may say.
const (
	Yes Said = "yes"
	No  Said = "no"
	// Nothing is said by who does not answer in time, or cannot be asked after all: the
	// fallback of the rule decides.
	Nothing Said = "nothing"
)

// Asking is a caller that asks a person where the policy wants it: it puts the questions of
// calls that need approval, and puts the call again with what was said. While a person thinks,
// nothing runs and no lock is held.
type Asking struct {
	Caller
	// Ask asks. Its error ends the call.
	Ask func(ctx context.Context, q result.Question) (Said, error)
}

// maxQuestions bounds the questions of one call.
const maxQuestions = 8

// Call implements [Caller].
func (a Asking) Call(ctx context.Context, name string, req, res any) error {
	with := CallOf(ctx)
	with.Asks = true
	with.Answers = slices.Clone(with.Answers)
	for {
		err := a.Caller.Call(with.In(ctx), name, req, res)
		if err == nil || len(with.Answers) == maxQuestions {
			return err
		}
		of := result.ErrorOf(err)
		if of.Kind != result.NeedsApproval {
			return err
		}
		said, err := a.Ask(ctx, of.Data.Question)
		if err != nil {
			return err
		}
		with.Answers = append(with.Answers, Answer{of.Data.Question.ID, said})
	}
}
