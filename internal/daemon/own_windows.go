package daemon

import (
	"errors"
	"os"
	"sync"

	"golang.org/x/sys/windows"
)

// ourselves is the current user. Its token must not be closed.
var ourselves = sync.OnceValues(func() (*windows.SID, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, err
	}
	return user.User.Sid, nil
})

// userName identifies the current user in keys. Programs run as administrator have a daemon of
// their own, which other programs must not and could not use.
func userName() string {
	us, err := ourselves()
	if err != nil {
		return ""
	}
	if windows.GetCurrentProcessToken().IsElevated() {
		return us.String() + " elevated"
	}
	return us.String()
}

// writes are the rights to change a file or folder, or to grant oneself these rights.
const writes = windows.FILE_WRITE_DATA | windows.FILE_APPEND_DATA | windows.FILE_WRITE_ATTRIBUTES | 0x40 /* FILE_DELETE_CHILD */ |
	windows.DELETE | windows.WRITE_DAC | windows.WRITE_OWNER | windows.GENERIC_WRITE | windows.GENERIC_ALL

// ownAlone returns an error unless only the user may write to a folder.
func ownAlone(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case info.Mode()&(os.ModeSymlink|os.ModeIrregular) != 0:
		return &RefusedError{dir, "a link"}
	case !info.IsDir():
		return &RefusedError{dir, "not a folder"}
	}
	return ownedByUs(dir)
}

// isBusy reports whether an operation on a file failed because somebody else has it open or is
// removing it.
func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}

// ownedByUs returns an error if a file or folder belongs to somebody else, or somebody else may
// write to it.
func ownedByUs(path string) error {
	security, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return err
	}
	owner, _, err := security.Owner()
	if err != nil {
		return err
	}
	if !isTrusted(owner) {
		return &RefusedError{path, "owned by " + owner.String()}
	}
	list, _, err := security.DACL()
	if err != nil {
		return err
	}
	if list == nil { // everybody may do everything
		return &RefusedError{path, "open to others to write"}
	}
	for i := range uint32(list.AceCount) {
		var entry *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(list, i, &entry); err != nil {
			return err
		}
		if entry.Header.AceType != windows.ACCESS_ALLOWED_ACE_TYPE || entry.Header.AceFlags&windows.INHERIT_ONLY_ACE != 0 {
			continue
		}
		if who := sidOf(entry); entry.Mask&writes != 0 && !isTrusted(who) {
			return &RefusedError{path, "open to " + who.String() + " to write"}
		}
	}
	return nil
}

// isTrusted reports whether somebody is the user, or may do everything anyway.
func isTrusted(who *windows.SID) bool {
	us, err := ourselves()
	return err == nil && who.Equals(us) || who.IsWellKnown(windows.WinLocalSystemSid) ||
		who.IsWellKnown(windows.WinBuiltinAdministratorsSid) || who.IsWellKnown(windows.WinCreatorOwnerRightsSid)
}
