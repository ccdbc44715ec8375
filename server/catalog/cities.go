package catalog

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
)

// Cities returns the cities of both sources, ordered by pinyin. keyword selects the cities whose name contains it, or
// whose pinyin ("shanghai") or initials ("sh") begin with it; "" selects all.
func (s *Service) Cities(ctx context.Context, keyword string) ([]City, error) {
	all, err := s.allCities(ctx)
	if err != nil {
		return nil, err
	}
	keyword = strings.ToLower(strings.TrimSpace(keyword))
	if keyword == "" {
		return all, nil
	}
	found := []City{}
	for _, c := range all {
		if strings.Contains(c.Name, keyword) ||
			strings.HasPrefix(c.Pinyin, keyword) || strings.HasPrefix(initials(c), keyword) {
			found = append(found, c)
		}
	}
	return found, nil
}

// HotCities returns the cities that a source marks as popular.
func (s *Service) HotCities(ctx context.Context) ([]City, error) {
	all, err := s.allCities(ctx)
	if err != nil {
		return nil, err
	}
	hot := []City{}
	for _, c := range all {
		if c.Hot {
			hot = append(hot, c)
		}
	}
	return hot, nil
}

// City returns a city by its division code or by its id at a source. It returns ErrCityNotFound.
func (s *Service) City(ctx context.Context, id string) (City, error) {
	all, err := s.allCities(ctx)
	if err != nil {
		return City{}, err
	}
	if id != "" {
		for _, same := range []func(City) bool{
			func(c City) bool { return c.ID == id },
			func(c City) bool { return c.NewMovieID == id },
			func(c City) bool { return c.LegacyID == id },
		} {
			for _, c := range all {
				if same(c) {
					return c, nil
				}
			}
		}
	}
	return City{}, ErrCityNotFound
}

// allCities returns the cities of both sources. It fails if one source does.
func (s *Service) allCities(ctx context.Context) ([]City, error) {
	return s.cities.Get(ctx, "", func(ctx context.Context) ([]City, error) {
		var legacy, newmovie []City
		legacyErr, newmovieErr := both(
			func() (err error) { legacy, err = s.legacy.Cities(ctx); return err },
			func() (err error) { newmovie, err = s.newMovie.Cities(ctx); return err },
		)
		// A list without the ids of one source would hide the cinemas of that source until it leaves the cache.
		if err := errors.Join(legacyErr, newmovieErr); err != nil {
			return nil, fmt.Errorf("read the cities of both sources: %w", err)
		}
		return mergeCities(legacy, newmovie), nil
	})
}

// mergeCities joins the lists by division code, which both sources send, and orders them by pinyin.
func mergeCities(legacy, newmovie []City) []City {
	merged := make([]City, 0, len(legacy))
	at := map[string]int{}
	for _, c := range append(append([]City{}, legacy...), newmovie...) {
		i, known := at[c.ID]
		if !known {
			at[c.ID] = len(merged)
			merged = append(merged, c)
			continue
		}
		m := &merged[i]
		m.Hot = m.Hot || c.Hot
		if m.LegacyID == "" {
			m.LegacyID = c.LegacyID
		}
		if m.NewMovieID == "" {
			m.NewMovieID = c.NewMovieID
		}
	}
	sort.SliceStable(merged, func(i, j int) bool { return merged[i].Pinyin < merged[j].Pinyin })
	return merged
}

// both runs two reads at the same time.
func both(first, second func() error) (firstErr, secondErr error) {
	var wg sync.WaitGroup
	wg.Go(func() { secondErr = second() })
	firstErr = first()
	wg.Wait()
	return firstErr, secondErr
}
