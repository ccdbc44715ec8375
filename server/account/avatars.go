package account

import (
	"context"
	"fmt"
	"time"
)

// AvatarStore keeps the address of each buyer's picture, and the addresses of files without a buyer: files about to be
// written, and files that were replaced, until they are removed.
type AvatarStore interface {
	// PlanAvatar records the address of a file that is about to be written.
	PlanAvatar(ctx context.Context, url string, now time.Time) error
	// SetAvatar makes url the buyer's picture and returns the address that it replaces, "" without one.
	SetAvatar(ctx context.Context, id int64, url string, now time.Time) (before string, err error)
	// ForgetAvatar deletes the record of a file that was removed.
	ForgetAvatar(ctx context.Context, url string) error
	// IdleAvatars lists the addresses that have been without a buyer since before the given time.
	IdleAvatars(ctx context.Context, before time.Time) ([]string, error)
}

// Avatars records which uploaded picture each buyer shows. The files themselves belong to the caller.
type Avatars struct {
	store AvatarStore
	now   func() time.Time
}

// NewAvatars makes Avatars; now is business time.
func NewAvatars(store AvatarStore, now func() time.Time) *Avatars {
	return &Avatars{store: store, now: now}
}

// PlanAvatar records the address of a file before it is written, so that SweepAvatars finds it after a crash.
func (a *Avatars) PlanAvatar(ctx context.Context, url string) error {
	return a.store.PlanAvatar(ctx, url, a.now())
}

// SetAvatar makes url the buyer's picture and returns the address that it replaces, "" without one.
func (a *Avatars) SetAvatar(ctx context.Context, userID int64, url string) (before string, err error) {
	return a.store.SetAvatar(ctx, userID, url, a.now())
}

// ForgetAvatar deletes the record of a file that was removed.
func (a *Avatars) ForgetAvatar(ctx context.Context, url string) error {
	return a.store.ForgetAvatar(ctx, url)
}

// uploadTime is longer than an upload takes: a file without a buyer that is younger may still be part of one.
const uploadTime = time.Hour

// SweepAvatars calls remove for each file that has been without a buyer for uploadTime, and deletes its record. A
// crash or a full disk leaves such files. It stops at the first error.
func (a *Avatars) SweepAvatars(ctx context.Context, remove func(url string) error) error {
	idle, err := a.store.IdleAvatars(ctx, a.now().Add(-uploadTime))
	if err != nil {
		return fmt.Errorf("list avatars without a buyer: %w", err)
	}
	for _, url := range idle {
		if err := remove(url); err != nil {
			return fmt.Errorf("remove avatar %s: %w", url, err)
		}
		if err := a.store.ForgetAvatar(ctx, url); err != nil {
			return fmt.Errorf("delete the record of avatar %s: %w", url, err)
		}
	}
	return nil
}
