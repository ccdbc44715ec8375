package content

import (
	"embed"
	"fmt"
)

//go:embed texts/*.html
var files embed.FS

// builtIn are the texts that the shop shows until operators replace them.
var builtIn = map[Key]Text{
	Privacy:       {Title: "隐私政策", HTML: file("privacy")},
	UsageRules:    {Title: "使用说明", HTML: file("usage_rules")},
	BuyingGuide:   {Title: "购票须知", HTML: file("buying_guide")},
	ViewingGuide:  {Title: "观影须知", HTML: file("viewing_guide")},
	BindingGuide:  {Title: "绑定须知", HTML: file("binding_guide")},
	TicketWarning: {Title: "温馨提示", HTML: file("ticket_warning")},
}

func file(name string) string {
	b, err := files.ReadFile("texts/" + name + ".html")
	if err != nil {
		panic(fmt.Sprintf("content: %v", err)) // the file is embedded
	}
	return string(b)
}
