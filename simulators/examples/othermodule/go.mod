module example.test/shop

go 1.26.0

require (
	github.com/getkin/kin-openapi v0.152.0
	github.com/wechatpay-apiv3/wechatpay-go v0.2.21
	marquee v0.0.0
)

require (
	github.com/andybalholm/brotli v1.2.7 // indirect
	github.com/go-chi/chi/v5 v5.5.0 // indirect
	github.com/go-openapi/jsonpointer v1.0.0 // indirect
	github.com/kr/pretty v0.3.1 // indirect
	github.com/oasdiff/yaml v0.1.1 // indirect
	github.com/oasdiff/yaml3 v0.0.14 // indirect
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // indirect
	golang.org/x/text v0.43.0 // indirect
)

// In your own module: a checkout beside yours, or a git submodule. The module's name has no domain, so that no proxy
// serves it.
replace marquee => ../../..
