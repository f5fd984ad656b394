package child

import (
	"errors"
	"slices"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Usage is what the processes of a job use.
type Usage struct {
	// CPUTime is the processor time used so far, also by processes that have ended; it never gets less.
	CPUTime time.Duration
	// Memory is the resident memory in bytes; what processes share counts for each.
	Memory int64
	// Runs says that a thread runs right now, or would if a processor were free.
	Runs bool
}

// Usage returns what the processes of the job use; false if it has none, or the system does not tell.
func (j *Job) Usage() (_ Usage, known bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.handle == 0 {
		return Usage{}, false
	}
	pids, err := j.pidsLocked()
	if err != nil || len(pids) == 0 {
		return Usage{}, false
	}
	u, times, err := usageOf(pids)
	if err != nil || len(times) == 0 {
		return Usage{}, false
	}
	// The times of the job include those of all ended processes. Wine reports 0.
	u.CPUTime = j.used.add(times)
	if now, err := j.accounting(); err == nil {
		u.CPUTime = max(u.CPUTime, ticks(now.times[0]+now.times[1]))
	}
	return u, true
}

// A ledger sums the processor time of processes, also of those that have ended, as far as it was seen.
type ledger struct {
	last map[uintptr]time.Duration // by process id, when they were last seen
	past time.Duration             // of those that have ended
}

// add notes the times of the processes that there are now, by id, and returns the sum of all that there ever were. It never
// gets less.
func (l *ledger) add(now map[uintptr]time.Duration) (sum time.Duration) {
	for pid, was := range l.last {
		if is, there := now[pid]; !there || is < was { // ids are used again
			l.past += was
		}
	}
	l.last = now
	sum = l.past
	for _, is := range now {
		sum += is
	}
	return sum
}

// ticks converts a time of the system, which counts 100 nanoseconds.
func ticks(n int64) time.Duration { return time.Duration(n) * 100 }

// maxProcesses bounds how many processes of a job are looked at.
const maxProcesses = 1 << 14

// pidsLocked returns the ids of the processes in the job.
func (j *Job) pidsLocked() ([]uintptr, error) {
	// JOBOBJECT_BASIC_PROCESS_ID_LIST: how many processes there are and how many are listed, as 32 bits each; then the ids, as
	// wide as pointers.
	const word = int(unsafe.Sizeof(uintptr(0)))
	const counts = 8 / word
	for n := 32; ; n *= 4 {
		list := make([]uintptr, counts+n)
		err := windows.QueryInformationJobObject(j.handle, windows.JobObjectBasicProcessIdList,
			uintptr(unsafe.Pointer(&list[0])), uint32(len(list)*word), nil)
		if errors.Is(err, windows.ERROR_MORE_DATA) && n < maxProcesses {
			continue
		}
		if err != nil {
			return nil, err
		}
		listed := *(*uint32)(unsafe.Add(unsafe.Pointer(&list[0]), 4))
		return list[counts:][:listed], nil
	}
}

// threadInformation is SYSTEM_THREAD_INFORMATION.
type threadInformation struct {
	times                   [3]int64
	waitTime                uint32
	start                   uintptr
	process, thread         uintptr
	priority, basePriority  int32
	switches, state, reason uint32
}

// usageOf sums what some processes use, without their times, which it returns by id: none if they have all ended.
func usageOf(pids []uintptr) (u Usage, times map[uintptr]time.Duration, err error) {
	all, err := processes()
	if err != nil {
		return Usage{}, nil, err
	}
	times = make(map[uintptr]time.Duration)
	for at := uintptr(0); ; {
		p := (*windows.SYSTEM_PROCESS_INFORMATION)(unsafe.Pointer(&all[at]))
		if slices.Contains(pids, p.UniqueProcessID) {
			times[p.UniqueProcessID] = ticks(p.UserTime + p.KernelTime)
			u.Memory += int64(p.WorkingSetSize)
			threads := unsafe.Slice((*threadInformation)(unsafe.Add(unsafe.Pointer(p), unsafe.Sizeof(*p))), p.NumberOfThreads)
			u.Runs = u.Runs || slices.ContainsFunc(threads, threadInformation.runs)
		}
		if p.NextEntryOffset == 0 {
			return u, times, nil
		}
		at += uintptr(p.NextEntryOffset)
	}
}

// runs reports whether a thread has a processor, or waits for one: KTHREAD_STATE is ready, running, standby, or
// deferred ready.
func (t threadInformation) runs() bool {
	return slices.Contains([]uint32{1, 2, 3, 7}, t.state)
}

// processes returns the system's list of processes, as bytes aligned for its structures.
func processes() ([]byte, error) {
	need := uint32(256 << 10)
	for range 8 { // it may grow in between
		words := make([]uint64, need/8+1)
		size := uint32(len(words) * 8)
		err := windows.NtQuerySystemInformation(windows.SystemProcessInformation, unsafe.Pointer(&words[0]), size, &need)
		if err == nil {
			return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size), nil
		}
		if !errors.Is(err, windows.STATUS_INFO_LENGTH_MISMATCH) {
			return nil, err
		}
		need += need / 4
	}
	return nil, windows.STATUS_INFO_LENGTH_MISMATCH
}
