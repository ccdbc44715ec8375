package account

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"marquee/server/fault"
)

// ProofKind is what a proof is about. A proof of one kind never counts as one of another kind, whatever its subject.
// The values are stored and are never renamed.
type ProofKind string

// The kinds of proofs.
const (
	ProofOfIdentity ProofKind = "identity" // the subject is the openid that OAuth returned
	ProofOfPhone    ProofKind = "phone"    // the subject is the phone whose code was entered
	ProofOfLink     ProofKind = "link"     // the subject is the id of the buyer whom the link logs in
)

// Proof is a one-use proof as a client presents it. A proof of an identity or of a phone is valid only in the browser
// that made it: the address of a page, in which other programs may pass it on, does not carry the cookie.
type Proof struct {
	Kind    ProofKind
	Subject string // see the kinds
	Token   string // the secret that the shop returned for the proof; yz_code in calls
	Browser string // the token in the cookie of the browser; "" without a cookie, and for a link
}

// StoredProof is a proof as the store keeps it.
type StoredProof struct {
	Hash    []byte // of the token
	Kind    ProofKind
	Subject string
	Browser []byte // hash of the browser's token; empty for a link
}

// ErrUnproven is returned by the store for a proof that is unknown, used, expired or of something else. Service returns
// the fault of the kind instead.
var ErrUnproven = errors.New("account: not proven")

// unproven are the faults of a proof that is not valid, by kind.
var unproven = map[ProofKind]*fault.Fault{
	ProofOfIdentity: ErrOpenIDUnproven, ProofOfPhone: ErrPhoneUnproven, ProofOfLink: ErrLinkCode,
}

// openIDShape matches an identity of the messaging app. The vendor's have 28 characters.
var openIDShape = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// shapes are the shapes of the subjects. Link subjects are made by the shop.
var shapes = map[ProofKind]*regexp.Regexp{ProofOfIdentity: openIDShape, ProofOfPhone: phoneShape}

func (p Proof) stored() StoredProof {
	s := StoredProof{Hash: hashToken(p.Token), Kind: p.Kind, Subject: p.Subject, Browser: []byte{}}
	if p.Browser != "" {
		s.Browser = hashToken(p.Browser)
	}
	return s
}

// addProof saves a proof for a time. A proof that is tied to a browser needs the token of the browser.
func (s *Service) addProof(ctx context.Context, p Proof, life time.Duration) error {
	if shape := shapes[p.Kind]; shape != nil && (!shape.MatchString(p.Subject) || p.Browser == "") {
		return fmt.Errorf("account: a proof of kind %s with the subject %.64q cannot be made", p.Kind, p.Subject)
	}
	if err := s.identities.AddProof(ctx, p.stored(), s.now().Add(life)); err != nil {
		return fmt.Errorf("save the proof: %w", err)
	}
	return nil
}

// checkProof returns what useProof returns, and leaves the proof usable.
func (s *Service) checkProof(ctx context.Context, p Proof) error {
	return s.tryProof(ctx, p, s.identities.CheckProof)
}

// useProof checks a proof and uses it up. It returns ErrOpenIDInvalid for a subject that cannot be an identity,
// ErrProofBrowser for a proof that another browser made, which stays usable there, and the fault of the kind for one
// that is not valid.
func (s *Service) useProof(ctx context.Context, p Proof) error {
	return s.tryProof(ctx, p, s.identities.UseProof)
}

func (s *Service) tryProof(
	ctx context.Context, p Proof, try func(context.Context, StoredProof, time.Time) error,
) error {
	if p.Kind == ProofOfIdentity && !openIDShape.MatchString(p.Subject) {
		return ErrOpenIDInvalid
	}
	err := try(ctx, p.stored(), s.now())
	switch {
	case errors.Is(err, ErrUnproven):
		return unproven[p.Kind]
	case errors.Is(err, ErrProofBrowser) && p.Kind == ProofOfPhone:
		return ErrProofBrowser.WithMessage("请在当前浏览器重新获取验证码")
	}
	return err
}
