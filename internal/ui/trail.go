package ui

import "context"

// A trailing is news of the evidence.
type trailing struct {
	Records []Record `json:"records"`
}

// followTrail sends the newest records of the evidence, whether all of it is as it was written, and then the records that come.
func (f *follower) followTrail(ctx context.Context) error {
	if f.Trail == nil {
		return nil
	}
	verified := false
	for last := uint64(0); ; {
		list, err := f.Trail.Last(last, records)
		if err != nil {
			return err
		}
		if len(list) > 0 || last == 0 {
			if err := send(f.feed, "evidence", trailing{append([]Record{}, list...)}); err != nil {
				return err
			}
		}
		if len(list) > 0 {
			last = list[len(list)-1].Seq
			if !verified {
				if err := f.sendVerified(); err != nil {
					return err
				}
				verified = true
			}
		}
		if err := pause(ctx); err != nil {
			return err
		}
		select {
		case <-f.trail:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// listenToTrail has the evidence read when it has grown. Where that cannot be noticed, it is read when something else happens.
func (f *follower) listenToTrail(ctx context.Context) error {
	if f.Trail == nil {
		return nil
	}
	return f.Trail.Listen(ctx, func() { wake(f.trail) })
}

// sendVerified sends whether the evidence is as it was written, if that is soon known.
func (f *follower) sendVerified() error {
	checked, err := f.Trail.Verify(maxVerified)
	if err != nil {
		return err
	}
	return send(f.feed, "verified", checked)
}
