package boxoffice

// Remembered is how many showings and encoded maps an office keeps.
func (o *Office) Remembered() (shows, maps int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.halls.byShow), len(o.halls.encoded)
}
