package boxoffice

import (
	"cmp"
	"slices"
	"time"

	"marquee/simulators/dataset"
)

// purchase is a generated buyer's purchase of a few adjacent seats. It is small because there are many.
type purchase struct {
	at           int64 // business time, unix seconds
	first, count int16 // seat indices
}

// otherBuyers generates the purchases of a showing, in the order of time. Each is of one to four adjacent seats. Seats
// in the middle of the hall are bought more often, and most purchases are on the last day. The purchases are derived
// from the seed and the showing.
func otherBuyers(seed uint64, show *dataset.Show) []purchase {
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
		p := purchase{first: int16(row[first])}
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
	return slices.Clone(list) // without spare capacity
}
