module example.test/shop

go 1.26.0

require (
	github.com/wechatpay-apiv3/wechatpay-go v0.2.21
	marquee v0.0.0
)

require (
	github.com/andybalholm/brotli v1.2.7 // indirect
	github.com/go-chi/chi/v5 v5.5.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
)

// In your own module: a checkout next to yours, or a git submodule. The module's name has no domain, so that no proxy
// serves it.
replace marquee => ../../..
