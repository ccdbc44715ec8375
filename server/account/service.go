package account

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sync/semaphore"
)

// Config is what a Service needs.
type Config struct {
	Store    Store
	Sender   CodeSender
	Identity IdentityProvider
	Now      func() time.Time // business time
	// Pepper keys every hash of a short secret (codes, payment passwords). It lives outside the database, so that a
	// copy of the database alone cannot be searched. At least 16 bytes.
	Pepper []byte
	Limits Limits // the zero value means DefaultLimits
	Cost   Cost   // of hashing a payment password; the zero value means DefaultCost
}

// Service logs buyers in and proves who they are.
type Service struct {
	store    Store
	sender   CodeSender
	identity IdentityProvider
	now      func() time.Time
	pepper   []byte
	limits   Limits
	cost     Cost
	hashing  *semaphore.Weighted
}

// New refuses a pepper that is too short to be one.
func New(c Config) (*Service, error) {
	if len(c.Pepper) < 16 {
		return nil, fmt.Errorf("account: the pepper must have at least 16 bytes, has %d", len(c.Pepper))
	}
	if c.Limits == (Limits{}) {
		c.Limits = DefaultLimits
	}
	if c.Cost == (Cost{}) {
		c.Cost = DefaultCost
	}
	return &Service{
		cost:  c.Cost,
		store: c.Store, sender: c.Sender, identity: c.Identity, now: c.Now, pepper: c.Pepper, limits: c.Limits,
		// argon2 takes 19 MiB and a core for each: more at once than cores only makes everyone wait longer.
		hashing: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0))),
	}, nil
}

// Login turns a phone and the code sent to it into a session. A phone seen for the first time gets an account.
func (s *Service) Login(ctx context.Context, phone, code string) (Login, error) {
	if err := s.useCode(ctx, phone, code, ForLogin); err != nil {
		return Login{}, err
	}
	u, err := s.store.EnsureUser(ctx, phone, s.now())
	if err != nil {
		return Login{}, fmt.Errorf("find or make the buyer: %w", err)
	}
	token, err := s.openSession(ctx, u.ID)
	if err != nil {
		return Login{}, err
	}
	return Login{Token: token, UserID: u.ID}, nil
}

// Session is the buyer a token stands for; ErrLoginRequired when it stands for none (any more).
func (s *Service) Session(ctx context.Context, token string) (User, error) {
	if !tokenShape.MatchString(token) {
		return User{}, ErrLoginRequired
	}
	return s.store.SessionUser(ctx, hashToken(token), s.now())
}

// Logout revokes the token; a token that is unknown is as good as revoked.
func (s *Service) Logout(ctx context.Context, token string) error {
	return s.store.RevokeSession(ctx, hashToken(token), s.now())
}

// User reads a buyer.
func (s *Service) User(ctx context.Context, id int64) (User, error) { return s.store.User(ctx, id) }

// Phone is the buyer's number, in full.
func (s *Service) Phone(ctx context.Context, userID int64) (string, error) {
	u, err := s.store.User(ctx, userID)
	return u.Phone, err
}

// PlanAvatar says that a picture is about to be written at an address.
func (s *Service) PlanAvatar(ctx context.Context, url string) error {
	return s.store.PlanAvatar(ctx, url, s.now())
}

// SetAvatar keeps the address of the buyer's picture and tells the one that stood there before, "" for none.
func (s *Service) SetAvatar(ctx context.Context, userID int64, url string) (before string, err error) {
	return s.store.SetAvatar(ctx, userID, url, s.now())
}

// ForgetAvatar says that the file at an address is gone.
func (s *Service) ForgetAvatar(ctx context.Context, url string) error {
	return s.store.ForgetAvatar(ctx, url)
}

// uploadTime is longer than an upload takes: a younger picture may be about to be shown.
const uploadTime = time.Hour

// SweepAvatars removes, with remove, the files that a crash or a full disk left behind.
func (s *Service) SweepAvatars(ctx context.Context, remove func(url string) error) error {
	idle, err := s.store.IdleAvatars(ctx, s.now().Add(-uploadTime))
	if err != nil {
		return fmt.Errorf("read which pictures nobody shows: %w", err)
	}
	for _, url := range idle {
		if err := remove(url); err != nil {
			return err
		}
		if err := s.store.ForgetAvatar(ctx, url); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) openSession(ctx context.Context, userID int64) (string, error) {
	token, now := newToken(), s.now()
	if err := s.store.AddSession(ctx, hashToken(token), userID, now, now.Add(SessionLife)); err != nil {
		return "", fmt.Errorf("open a session: %w", err)
	}
	return token, nil
}
