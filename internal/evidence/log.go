package evidence

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Options say where and how a log is written. All but Path may be zero.
type Options struct {
	// Path is the file; its folder is made.
	Path string
	// MaxBytes is the size from which on a file is followed by another; 64 MiB by default.
	MaxBytes int64
	// Queue bounds the events that wait to be written; 4,096 by default.
	Queue int
	// Contents says that contents of files may be recorded. The log does not look into events: who
	// records asks.
	Contents bool
	// Secrets are texts that are never written: values of the environment.
	Secrets []string
	// Version and Program are those of this process.
	Version, Program string
}

const (
	defaultMaxBytes = 64 << 20
	defaultQueue    = 4096
	// maxBatch bounds the events that are written at once, with the lock of the file held.
	maxBatch = 256
	// gathering is how long the first event of a batch waits for those that follow it: a call makes
	// several, and each batch costs the lock of the file.
	gathering = 10 * time.Millisecond
	// syncEvery is how long what is written may wait until it is on the disk.
	syncEvery = time.Second
)

// A Log records events. Its methods are safe for concurrent use; a nil Log records nothing.
type Log struct {
	opts  Options
	run   string
	queue chan *entry
	// lost counts events that nobody knows of yet.
	lost   atomic.Uint64
	events uint64 // that were written, of this process; the writer's
	file   file   // the writer's

	// hurry has a token if somebody waits for what is in the queue.
	hurry chan struct{}

	closeOnce sync.Once
	stopping  chan struct{}
	// waiting ends when the writer must not wait for others any more.
	waiting context.Context
	giveUp  context.CancelFunc
	written sync.WaitGroup
	ended   chan struct{} // closed when nothing is written any more
}

// An entry is an event on its way.
type entry struct {
	at   time.Time
	from Origin
	of   Event
	// later, if not nil, makes the event.
	later func() Event
	// flushed, if not nil, is closed when all before it is written.
	flushed chan struct{}
}

// An Origin is the call that an event is about.
type Origin struct{ Session, Client string }

// Open returns a log. The file is made with the first event; that it cannot be written is no
// error, but a loss, which is recorded when it can.
func Open(o Options) *Log {
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.Queue == 0 {
		o.Queue = defaultQueue
	}
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails
	l := &Log{opts: o, run: hex.EncodeToString(id[:]), queue: make(chan *entry, o.Queue), hurry: make(chan struct{}, 1), stopping: make(chan struct{}), ended: make(chan struct{})}
	l.file = file{path: o.Path, max: o.MaxBytes, secrets: escaped(o.Secrets)}
	l.waiting, l.giveUp = context.WithCancel(context.Background())
	l.written.Go(l.write)
	return l
}

// Contents reports whether contents of files may be recorded.
func (l *Log) Contents() bool { return l != nil && l.opts.Contents }

// Record notes an event. It does not wait.
func (l *Log) Record(from Origin, e Event) { l.enqueue(&entry{from: from, of: e}) }

// RecordLater notes an event that takes work to make: that is done when it is written.
func (l *Log) RecordLater(from Origin, e func() Event) { l.enqueue(&entry{from: from, later: e}) }

func (l *Log) enqueue(e *entry) {
	if l == nil {
		return
	}
	e.at = time.Now()
	select {
	case <-l.stopping:
	case l.queue <- e:
		if len(l.queue) > cap(l.queue)/2 {
			l.hasten()
		}
	default:
		l.lost.Add(1)
	}
}

// hasten makes the writer write what it has.
func (l *Log) hasten() {
	select {
	case l.hurry <- struct{}{}:
	default: // somebody else did
	}
}

// Flush waits until what was recorded before is written, or counted as lost, or ctx ends.
func (l *Log) Flush(ctx context.Context) error {
	if l == nil {
		return nil
	}
	flushed := make(chan struct{})
	select {
	case l.queue <- &entry{flushed: flushed}:
	case <-l.stopping:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
	l.hasten()
	select {
	case <-flushed:
		return nil
	case <-l.ended: // it was put into the queue after the writer had left
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close writes what waits, and ends the log. When ctx ends, it waits for no other process and no
// disk any more. What is recorded after it is dropped.
func (l *Log) Close(ctx context.Context) {
	if l == nil {
		return
	}
	l.closeOnce.Do(func() { close(l.stopping) })
	defer context.AfterFunc(ctx, l.giveUp)()
	l.written.Wait()
	l.giveUp()
}

// write is the goroutine that writes.
func (l *Log) write() {
	defer close(l.ended)
	defer l.file.close()
	syncs := time.NewTicker(syncEvery)
	defer syncs.Stop()
	for {
		select {
		case e := <-l.queue:
			l.gather()
			l.append(l.batch(e))
		case <-syncs.C:
			if l.lost.Load() > 0 {
				l.append(nil)
			}
			l.file.sync()
		case <-l.stopping:
			for len(l.queue) > 0 {
				l.append(l.batch(<-l.queue))
			}
			l.end()
			return
		}
	}
}

// gather waits for events that belong together, unless somebody waits for them.
func (l *Log) gather() {
	late := time.NewTimer(gathering)
	defer late.Stop()
	select {
	case <-late.C:
	case <-l.hurry:
	case <-l.stopping:
	}
}

// batch returns an entry with those that wait behind it.
func (l *Log) batch(e *entry) (batch []*entry) {
	for batch = append(batch, e); len(batch) < maxBatch; {
		select {
		case e := <-l.queue:
			batch = append(batch, e)
		default:
			return batch
		}
	}
	return batch
}

// append writes a batch; what cannot be written is lost.
func (l *Log) append(batch []*entry) {
	var records []*entry
	var flushed []chan struct{}
	for _, e := range batch {
		switch {
		case e.flushed != nil:
			flushed = append(flushed, e.flushed)
			continue
		case e.later != nil:
			e.of = e.later()
		}
		records = append(records, e)
	}
	l.put(records)
	for _, done := range flushed {
		close(done)
	}
}

// put writes records, after those of the log itself that come first.
func (l *Log) put(records []*entry) {
	lost := l.lost.Swap(0)
	if len(records) == 0 && lost == 0 {
		return
	}
	own := make([]*entry, 0, len(records)+2)
	if l.events == 0 {
		own = append(own, &entry{at: time.Now(), of: &Opened{os.Getpid(), l.opts.Version, l.opts.Program}})
	}
	if lost > 0 {
		own = append(own, &entry{at: time.Now(), of: &Loss{lost, l.file.reason()}})
	}
	if err := l.file.append(l.waiting, l.run, append(own, records...)); err != nil {
		l.lost.Add(lost + uint64(len(records)))
		return
	}
	l.file.failed = nil
	l.events += uint64(len(own) + len(records))
}

// end writes the last record, if there is any.
func (l *Log) end() {
	if l.events == 0 && l.lost.Load() == 0 {
		return
	}
	l.put(nil)
	if l.events > 0 {
		l.put([]*entry{{at: time.Now(), of: &Closed{l.events}}})
	}
	l.file.sync()
}
