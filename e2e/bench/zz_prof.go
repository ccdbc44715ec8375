package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"

	"marquee/e2e/phone"
)

func init() { rows = append(rows, row{"zzprof", prof}) }

func prof(_ context.Context, s settings) ([]figure, error) {
	browser, stop, err := phone.Open()
	if err != nil {
		return nil, err
	}
	defer stop()
	site, err := hallSite()
	if err != nil {
		return nil, err
	}
	defer site.Close()
	page, err := slowPhone(browser, site.URL+"/bare")
	if err != nil {
		return nil, err
	}
	cdp, _ := page.Context().NewCDPSession(page)
	cdp.Send("Profiler.enable", nil)
	cdp.Send("Profiler.setSamplingInterval", map[string]any{"interval": 200})
	cdp.Send("Profiler.start", nil)
	page.Goto(site.URL + "/filmSeat?opiid=o1&movieid=m1")
	m, err := page.WaitForFunction("() => window.mounted", nil)
	if err != nil {
		return nil, err
	}
	v, _ := m.JSONValue()
	ans, _ := page.Evaluate("() => window.answered")
	got, _ := cdp.Send("Profiler.stop", nil)
	b, _ := json.Marshal(got)
	os.WriteFile("/tmp/wf_prof.json", b, 0o644)
	var p struct {
		Profile struct {
			Nodes []struct {
				ID        int
				CallFrame struct {
					FunctionName, URL        string
					LineNumber, ColumnNumber int
				}
				Children []int
			}
			Samples    []int
			TimeDeltas []int
			StartTime  float64
		}
	}
	json.Unmarshal(b, &p)
	name := map[int]string{}
	parent := map[int]int{}
	for _, n := range p.Profile.Nodes {
		u := n.CallFrame.URL
		if len(u) > 30 {
			u = u[len(u)-30:]
		}
		name[n.ID] = fmt.Sprintf("%s %s:%d", n.CallFrame.FunctionName, u, n.CallFrame.ColumnNumber)
		for _, c := range n.Children {
			parent[c] = n.ID
		}
	}
	// last window: mounted ms before the end
	total := 0
	for _, d := range p.Profile.TimeDeltas {
		total += d
	}
	from := total - int(number(v)*1000) - 30000
	at := 0
	self := map[string]int{}
	incl := map[string]int{}
	for i, id := range p.Profile.Samples {
		at += p.Profile.TimeDeltas[i]
		if at < from {
			continue
		}
		d := p.Profile.TimeDeltas[i]
		self[name[id]] += d
		seen := map[string]bool{}
		for x := id; x != 0; x = parent[x] {
			if !seen[name[x]] {
				incl[name[x]] += d
				seen[name[x]] = true
			}
		}
	}
	show := func(m map[string]int, n int) {
		type kv struct {
			k string
			v int
		}
		var l []kv
		for k, v := range m {
			l = append(l, kv{k, v})
		}
		sort.Slice(l, func(i, j int) bool { return l[i].v > l[j].v })
		for i, e := range l {
			if i >= n {
				break
			}
			fmt.Printf("%8.1f ms %s\n", float64(e.v)/1000, e.k)
		}
	}
	fmt.Println("mounted", v, "answered", ans)
	fmt.Println("SELF")
	show(self, 25)
	fmt.Println("INCL")
	show(incl, 45)
	return nil, nil
}
