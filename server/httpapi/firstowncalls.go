package httpapi

import (
	"context"
	"net/url"
	"strconv"

	"marquee/server/content"
)

// ownCall is a call of a screen's first ones that the shop answers from its own database.
type ownCall struct {
	do     run
	path   string
	fields url.Values
}

// ownFirstCalls are the first calls of the screens that need no provider: the member area, texts and the login. The
// fields are spelled as the app spells them.
func (h *handler) ownFirstCalls(screen string, asked url.Values) []ownCall {
	shelves := h.shelves()
	list := func(op string, fields url.Values) []ownCall {
		fields.Set("pageno", "1")
		return []ownCall{{shelves[op], "/Kaquan/" + op, fields}}
	}
	switch screen {
	case "memberindex":
		return []ownCall{{shelves["index"], "/Kaquan/index", nil}}
	case "musicmember":
		return list("music", url.Values{"pagesize": {"100"}})
	case "readmember":
		return list("read", url.Values{"flag": {"1"}, "pagesize": {"500"}})
	case "movelist":
		return list("lists", url.Values{"flag": {"2"}, "pagesize": {"100"}})
	case "memberclass":
		calls := []ownCall{{shelves["classify"], "/Kaquan/classify", nil}}
		if id := asked.Get("id"); id != "" {
			calls = append(calls, list("lists", url.Values{"fid": {id}, "flag": {"0"}, "pagesize": {"100"}})...)
		}
		return calls
	case "couponsdetail":
		return []ownCall{{shelves["show"], "/Kaquan/show", url.Values{"id": {asked.Get("id")}}}}
	case "login":
		return []ownCall{{h.loginIndex, "/Login/index", nil}}
	case "yinsizhengce":
		return []ownCall{{h.policy, "/Login/single", url.Values{"id": {"1"}}}}
	case "useexplain":
		return []ownCall{
			{h.policy, "/Login/single", url.Values{"id": {"2"}}},
			{h.guide, "/movie/route/Movie/guide", nil},
		}
	}
	return nil
}

// ownFirstPicture is the picture that such a screen shows first; "" where it shows none or there is none.
func (h *handler) ownFirstPicture(ctx context.Context, screen string, asked url.Values) string {
	switch screen {
	case "memberindex":
		if list, err := h.Showcase.Banners(ctx, content.Members); err == nil && len(list) > 0 {
			return list[0].ImageURL
		}
	case "couponsdetail":
		id, err := strconv.ParseInt(asked.Get("id"), 10, 64)
		if err != nil {
			return ""
		}
		if g, _, err := h.Goods.Goods(ctx, id); err == nil {
			return g.ImageURL
		}
	}
	return ""
}
