package account

import "context"

// CodeSender sends a one-time code by SMS.
type CodeSender interface {
	// SendCode fails with ErrPhoneRefused or ErrSMSLimited when the provider refuses, or a fault of kind Unknown.
	SendCode(ctx context.Context, phone, code string) error
}

// IdentityProvider is the messaging app's login.
type IdentityProvider interface {
	// AuthorizeURL is where the browser goes to be given a code.
	AuthorizeURL(redirectURL, state string) string
	// Exchange turns a single-use code into an openid; ErrOAuthCode when the code is bad or used.
	Exchange(ctx context.Context, code string) (openID string, err error)
}
