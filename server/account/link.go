package account

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// linkShape matches what LinkCode returns: the id of the buyer and a token.
var linkShape = regexp.MustCompile(`^([1-9][0-9]{0,17})\.[A-Za-z0-9_-]{43}$`)

// LinkCode returns the code that opens a session of the buyer in another browser when it is the field token of a link
// to a page of the shop. It is valid once and for LinkLife. A session token itself is never part of a link.
func (s *Service) LinkCode(ctx context.Context, userID int64) (string, error) {
	code := fmt.Sprintf("%d.%s", userID, newToken())
	return code, s.addProof(ctx, linkProof(userID, code), LinkLife)
}

// LinkLogin exchanges the code of a link for a session, which binds no identity. It returns ErrLinkCode if the code is
// unknown, used or expired.
func (s *Service) LinkLogin(ctx context.Context, code string) (Login, error) {
	if !linkShape.MatchString(code) {
		return Login{}, ErrLinkCode
	}
	id, _, _ := strings.Cut(code, ".")
	userID, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return Login{}, ErrLinkCode
	}
	if err := s.useProof(ctx, linkProof(userID, code)); err != nil {
		return Login{}, err
	}
	u, err := s.sessions.User(ctx, userID)
	if err != nil {
		return Login{}, err
	}
	login, err := s.openSession(ctx, userID, ByLink, LoggedInByLink)
	login.Phone = u.Phone
	return login, err
}

// linkProof is the proof that the code of a link is. A link is for another browser, so that it is tied to none.
func linkProof(userID int64, code string) Proof {
	return Proof{Kind: ProofOfLink, Subject: strconv.FormatInt(userID, 10), Token: code}
}
