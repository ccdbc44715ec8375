package control

import (
	"html/template"
	"net/http"
	"strings"
)

// landingPath is the path prefix of the pages to which a simulated shop's links to other sites lead.
const landingPath = "/landing/"

// sites are the other sites to which a shop links: their titles by the last part of the path. Each is one page here.
var sites = map[string]string{"shop": "商城", "cake": "蛋糕", "book": "图书", "service": "客服"}

var landingPage = template.Must(template.New("landing").Parse(`<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.}}（模拟）</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="` + plainStyle + `">
</head>
<body>
<h1>{{.}}</h1>
<p class="lead">这里在正式环境中是另一个站点，模拟环境只有这一页。</p>
</body>
</html>
`))

// landing serves a plain page in place of each site.
func landing(w http.ResponseWriter, r *http.Request) {
	name, known := sites[strings.TrimPrefix(r.URL.Path, landingPath)]
	if !known {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = landingPage.Execute(w, name) // fails only if the client is gone
}
