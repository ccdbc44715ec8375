package boxoffice

import (
	"cmp"
	"slices"
	"time"

	"marquee/simulators/dataset"
)

// crowd invents the other buyers of a showing: groups of one to four who like the middle of the hall, most of
// them on the last day.
func crowd(seed uint64, show *dataset.Show) []purchase {
	r := dataset.RandOf(seed, "crowd", show.ID)
	l := show.Hall.Layout
	share := 0.08 + 0.5*r.Float()*r.Float()
	if h := show.Starts.Hour(); h >= 18 && h <= 21 {
		share += 0.2
	}
	rows := map[int][]int{}
	for _, s := range l.Seats {
		rows[s.Row] = append(rows[s.Row], s.Index)
	}
	taken := make([]bool, len(l.Seats))
	list := make([]purchase, 0, len(l.Seats)/3)
	for left, tries := int(share*float64(len(l.Seats))), 0; left > 0 && tries < 4*len(l.Seats); tries++ {
		row := rows[1+int(float64(l.Rows)*(0.35+0.5*(r.Float()+r.Float())/2+0.15*(r.Float()-0.5)*2))]
		if len(row) == 0 {
			row = rows[l.Seats[r.N(len(l.Seats))].Row]
		}
		size := min(r.Between(1, 4), len(row))
		first := int(float64(len(row)-size+1) * (r.Float() + r.Float() + r.Float()) / 3)
		p := purchase{first: int16(row[first])} //nolint:gosec // no hall has so many seats
		for _, i := range row[first : first+size] {
			if taken[i] {
				break
			}
			taken[i] = true
			if other, ok := l.Partner(i); ok {
				taken[other] = true
			}
			p.count++
		}
		if p.count == 0 {
			continue
		}
		early := r.Float()
		p.at = show.Starts.Add(-time.Duration(early * early * early * float64(dataset.DaysOnSale*24*time.Hour))).Unix()
		left -= int(p.count)
		list = append(list, p)
	}
	slices.SortStableFunc(list, func(a, b purchase) int { return cmp.Compare(a.at, b.at) })
	return slices.Clone(list) // without the room to grow
}

// Steal lets somebody else buy a seat if it is free, and reports whether it did. Half a couples seat takes both.
func (o *Office) Steal(showID, seatID string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	show, ok := o.country.Show(o.source, showID)
	if !ok {
		return false
	}
	s := o.salesOf(&show, o.country.Now())
	i, ok := show.Hall.Layout.SeatIndex(seatID)
	if !ok || !s.buy(i) {
		return false
	}
	s.sold = true
	o.changed(showID, "")
	return true
}
