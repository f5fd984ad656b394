package child

import (
	"errors"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A Job is a job object: processes, and what they start, that end together, at the latest when we
// do, in whatever way. It is safe for concurrent use.
type Job struct {
	// handle and port are open until Close. It takes mu for that because Kill may be called at any time; all other
	// methods must not be called later than Close.
	handle, port windows.Handle

	mu     sync.Mutex
	killed bool
	used   ledger
}

// completionPort is JOBOBJECT_ASSOCIATE_COMPLETION_PORT.
type completionPort struct {
	key  uintptr
	port windows.Handle
}

// activeProcessZero is JOB_OBJECT_MSG_ACTIVE_PROCESS_ZERO: the last process of a job has ended.
const activeProcessZero = 4

// NewJob returns a job without processes. The caller must Close it.
func NewJob() (*Job, error) {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	j := &Job{handle: handle}
	if j.port, err = windows.CreateIoCompletionPort(windows.InvalidHandle, 0, 0, 1); err != nil {
		_ = windows.CloseHandle(handle)
		return nil, err
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	told := completionPort{port: j.port}
	_, err1 := windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	_, err2 := windows.SetInformationJobObject(handle, windows.JobObjectAssociateCompletionPortInformation,
		uintptr(unsafe.Pointer(&told)), uint32(unsafe.Sizeof(told)))
	if err := errors.Join(err1, err2); err != nil {
		j.Close()
		return nil, err
	}
	return j, nil
}

// Bind puts ourselves into a job: whatever we start and are killed before we [Job.Take] it ends with us, too.
// What is started to stay breaks away (CREATE_BREAKAWAY_FROM_JOB). It fails where we may not be in a job of our own.
var Bind = sync.OnceValue(func() error {
	handle, err := windows.CreateJobObject(nil, nil) // stays open as long as we live
	if err != nil {
		return err
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_BREAKAWAY_OK
	if _, err = windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err == nil {
		err = windows.AssignProcessToJobObject(handle, windows.CurrentProcess())
	}
	if err != nil {
		_ = windows.CloseHandle(handle)
	}
	return err
})

// Take adds a process that was started suspended, and lets it run: what it starts is in the job
// from its first instruction.
func (j *Job) Take(pid int) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(process) }()
	if err := windows.AssignProcessToJobObject(j.handle, process); err != nil {
		return err
	}
	return resume(uint32(pid))
}

// resume lets the threads of a process run. Nobody else has the handle of its first one.
func resume(pid uint32) error {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(all) }()
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(all, &entry); err == nil; err = windows.Thread32Next(all, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(thread)
		_ = windows.CloseHandle(thread)
		if err != nil {
			return err
		}
	}
	if !errors.Is(err, windows.ERROR_NO_MORE_FILES) {
		return err
	}
	return nil
}

// KillCode is the exit code of processes that Kill ended: DBG_TERMINATE_PROCESS, with which none
// exits by itself.
const KillCode = 0x40010004

// Kill ends all processes of the job.
func (j *Job) Kill() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.handle != 0 {
		j.killed = true
		_ = windows.TerminateJobObject(j.handle, KillCode)
	}
}

// Killed reports whether Kill was called.
func (j *Job) Killed() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.killed
}

// lookEvery is how often Wait looks itself whether the job is empty, in milliseconds: that the
// message about it arrives is not guaranteed.
const lookEvery = 200

// Wait ends the processes that are left and returns when there are none.
func (j *Job) Wait() {
	_ = windows.TerminateJobObject(j.handle, KillCode)
	for {
		var what uint32
		var key uintptr
		var about *windows.Overlapped
		err := windows.GetQueuedCompletionStatus(j.port, &what, &key, &about, lookEvery)
		switch timeout := errors.Is(err, windows.WAIT_TIMEOUT); {
		case err == nil && what == activeProcessZero, err != nil && !timeout, timeout && j.isEmpty():
			return
		}
	}
}

// basicAccounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type basicAccounting struct {
	times                                 [4]int64 // user, kernel; the same in this period
	faults, processes, active, terminated uint32
}

// accounting returns the counts of the job, whose handle must be open.
func (j *Job) accounting() (now basicAccounting, err error) {
	err = windows.QueryInformationJobObject(j.handle, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&now)), uint32(unsafe.Sizeof(now)), nil)
	return now, err
}

// isEmpty reports whether no process of the job is left.
func (j *Job) isEmpty() bool {
	now, err := j.accounting()
	return err == nil && now.active == 0
}

// Close gives the job up, and ends the processes in it.
func (j *Job) Close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.handle != 0 {
		_ = windows.CloseHandle(j.handle)
		_ = windows.CloseHandle(j.port)
		j.handle = 0
	}
}
