// Package content holds what the shop shows around its goods: banners, voucher tiles, policies, guides and links.
package content

import "context"

// Banner is one slide of a carousel.
type Banner struct{ ID, ImageURL, LinkURL, Title string }

// Tile is a voucher tile of the home page. Price is text in yuan.
type Tile struct{ ID, ImageURL, Title, Price, URL string }

// JSConfig is what wx.config needs for one page.
type JSConfig struct {
	AppID, NonceStr, Signature string
	Timestamp                  int64 // wire time, epoch seconds
}

// JSSigner signs a page's URL (without its fragment) for the messaging app's JS-SDK.
type JSSigner interface {
	SignJS(ctx context.Context, pageURL string) (JSConfig, error)
}
