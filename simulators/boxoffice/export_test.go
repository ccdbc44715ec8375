package boxoffice

// Remembered is how many showings and encoded maps an office keeps.
func (o *Office) Remembered() (shows, maps int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.halls.byShow), len(o.halls.encoded)
}

// Keep bounds the orders of an office, which are 10,000 otherwise.
func (o *Office) Keep(orders int) { o.orders.limit = orders }
