package lsptest

import (
	"errors"
	"os"
	"slices"
	"strings"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"
)

const countsProcesses = true

// KilledCode is the exit code of a process that was killed: no signal ends one, whoever kills it chooses
// the code.
const KilledCode = 1

// processes takes a picture of all; a nil marker finds all. Processes that end meanwhile, and those
// that are not ours, are left out.
func processes(marker []byte) []Process {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = windows.CloseHandle(all) }()
	var found []Process
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(all, &entry); err == nil; err = windows.Process32Next(all, &entry) {
		if strings.EqualFold(windows.UTF16ToString(entry.ExeFile[:]), "conhost.exe") { // the console of another
			continue
		}
		command, environ, err := startedWith(entry.ProcessID)
		if err != nil || marker != nil && (int(entry.ProcessID) == os.Getpid() || !strings.Contains(command+environ, string(marker))) {
			continue
		}
		found = append(found, Process{int(entry.ProcessID), int(entry.ParentProcessID), command})
	}
	slices.SortFunc(found, func(a, b Process) int { return a.PID - b.PID })
	return found
}

// startedWith returns the command line and the environment of a process that is alive, as its memory
// has them.
func startedWith(pid uint32) (command, environ string, err error) {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_INFORMATION|windows.PROCESS_VM_READ|windows.SYNCHRONIZE, false, pid)
	if err != nil {
		return "", "", err
	}
	defer func() { _ = windows.CloseHandle(process) }()
	if ended, err := windows.WaitForSingleObject(process, 0); err != nil || ended == windows.WAIT_OBJECT_0 {
		return "", "", windows.ERROR_INVALID_PARAMETER
	}
	// Addresses in another process are numbers here: as pointers, they would end this process at its next collection.
	var about [unsafe.Sizeof(windows.PROCESS_BASIC_INFORMATION{}) / unsafe.Sizeof(uintptr(0))]uintptr
	if err := windows.NtQueryInformationProcess(process, windows.ProcessBasicInformation, unsafe.Pointer(&about), uint32(unsafe.Sizeof(about)), nil); err != nil {
		return "", "", err
	}
	read := func(from uintptr, to unsafe.Pointer, size uintptr) error {
		return windows.ReadProcessMemory(process, from, (*byte)(to), size, nil)
	}
	number := func(from uintptr) (n uintptr, err error) {
		err = read(from, unsafe.Pointer(&n), unsafe.Sizeof(n))
		return n, err
	}
	text := func(from, bytes uintptr) (string, error) {
		letters := make([]uint16, bytes/2)
		if len(letters) == 0 {
			return "", nil
		}
		err := read(from, unsafe.Pointer(&letters[0]), bytes/2*2)
		return string(utf16.Decode(letters)), err
	}
	given, err := number(about[unsafe.Offsetof(windows.PROCESS_BASIC_INFORMATION{}.PebBaseAddress)/unsafe.Sizeof(uintptr(0))] + unsafe.Offsetof(windows.PEB{}.ProcessParameters))
	if err != nil {
		return "", "", err
	}
	var parameters windows.RTL_USER_PROCESS_PARAMETERS // for where its fields are
	var length uint16
	line := given + unsafe.Offsetof(parameters.CommandLine)
	err = read(line+unsafe.Offsetof(parameters.CommandLine.Length), unsafe.Pointer(&length), unsafe.Sizeof(length))
	letters, err2 := number(line + unsafe.Offsetof(parameters.CommandLine.Buffer))
	variables, err3 := number(given + unsafe.Offsetof(parameters.Environment))
	size, err4 := number(given + unsafe.Offsetof(parameters.EnvironmentSize))
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return "", "", err
	}
	if command, err = text(letters, uintptr(length)); err != nil {
		return "", "", err
	}
	environ, err = text(variables, size)
	return command, environ, err
}
