// Package content holds the banners, voucher tiles, policies and guides that the shop's pages show. Operators edit them
// in the back office.
package content

import "context"

// Banner is one slide of a carousel.
type Banner struct{ ID, ImageURL, LinkURL, Title string }

// Tile is a voucher tile of the home page. Price is a text in yuan, such as "10.00".
type Tile struct{ ID, ImageURL, Title, Price, URL string }

// JSConfig has the parameters of wx.config, with which a page initializes the messaging app's JS-SDK.
type JSConfig struct {
	AppID, NonceStr, Signature string // of the public account
	Timestamp                  int64  // wire time, epoch seconds
}

// JSSigner makes the signature that the messaging app's JS-SDK requires for the URL of a page. The signature does not
// cover the fragment. Its errors are faults of kind Unavailable.
type JSSigner interface {
	// SignJS signs pageURL. The caller need not remove the fragment.
	SignJS(ctx context.Context, pageURL string) (JSConfig, error)
}
