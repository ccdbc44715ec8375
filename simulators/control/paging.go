package control

import "net/http"

// cut is the part of a list that is asked for.
type cut struct{ offset, limit int }

var pagingFields = []string{"limit", "offset"}

func paging(r *http.Request) (cut, error) {
	limit, err := number(r, "limit", 100, 1, maxEntries)
	if err != nil {
		return cut{}, err
	}
	offset, err := number(r, "offset", 0, 0, 1<<31)
	return cut{int(offset), int(limit)}, err
}

func slice[T any](list []T, c cut) []T {
	from := min(c.offset, len(list))
	return list[from:min(from+c.limit, len(list))]
}
