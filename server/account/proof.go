package account

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"
)

// ProofKind is what a proof proves. A proof of one kind never counts as one of another kind, even with the same
// subject. The values are stored and are never renamed.
type ProofKind string

// ProofOfIdentity proves that OAuth returned the openid that is the proof's subject.
const ProofOfIdentity ProofKind = "identity"

// Proof is a one-use proof as a client presents it. It is valid only in the browser for which it was made, which has a
// cookie: the token is in the address of a page, which may be sent to another person.
type Proof struct {
	Kind    ProofKind
	Subject string // see the kinds
	Token   string // the secret that the shop returned for the proof; yz_code in calls
	Browser string // the token in the cookie of the browser; "" without a cookie
}

// StoredProof is a proof as the store keeps it.
type StoredProof struct {
	Hash    []byte // of the token
	Kind    ProofKind
	Subject string
	Browser []byte // hash of the token in the browser's cookie
}

// ErrUnproven is returned by the store for a proof that is unknown, used, expired or of another subject. Service
// returns ErrOpenIDUnproven instead.
var ErrUnproven = errors.New("account: not proven")

// openIDShape matches an identity of the messaging app. The vendor's have 28 characters.
var openIDShape = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func (p Proof) stored() StoredProof {
	s := StoredProof{Hash: hashToken(p.Token), Kind: p.Kind, Subject: p.Subject, Browser: []byte{}}
	if p.Browser != "" {
		s.Browser = hashToken(p.Browser)
	}
	return s
}

// addProof saves a proof that is valid for the duration life.
func (s *Service) addProof(ctx context.Context, p Proof, life time.Duration) error {
	if !openIDShape.MatchString(p.Subject) || p.Browser == "" {
		return fmt.Errorf("account: a proof of kind %s with the subject %.64q cannot be made", p.Kind, p.Subject)
	}
	if err := s.identities.AddProof(ctx, p.stored(), s.now().Add(life)); err != nil {
		return fmt.Errorf("save the proof: %w", err)
	}
	return nil
}

// checkProof checks a proof as useProof does, but does not use it up.
func (s *Service) checkProof(ctx context.Context, p Proof) error {
	return s.tryProof(ctx, p, s.identities.CheckProof)
}

// useProof checks a proof and uses it up. It returns ErrOpenIDInvalid for a subject that cannot be an identity,
// ErrProofBrowser for a proof that was made for another browser, where it stays usable, and ErrOpenIDUnproven for one
// that is not valid.
func (s *Service) useProof(ctx context.Context, p Proof) error {
	return s.tryProof(ctx, p, s.identities.UseProof)
}

func (s *Service) tryProof(
	ctx context.Context, p Proof, try func(context.Context, StoredProof, time.Time) error,
) error {
	if !openIDShape.MatchString(p.Subject) {
		return ErrOpenIDInvalid
	}
	err := try(ctx, p.stored(), s.now())
	if errors.Is(err, ErrUnproven) {
		return ErrOpenIDUnproven
	}
	return err
}
