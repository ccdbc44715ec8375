package orders

// together lets calls that carry one key and ask for the same wait for the first of them and share its answer. Another
// server's call meets them at the key's row. Without a key every call stands for itself.
func together[T any](s *Service, key string, do func() (T, error), asked ...any) (T, error) {
	if key == "" {
		return do()
	}
	got, err, _ := s.flights.Do(digest(append(asked, key)...), func() (any, error) { return do() })
	answer, _ := got.(T)
	return answer, err
}
