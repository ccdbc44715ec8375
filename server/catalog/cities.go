package catalog

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
)

// Cities are those of either source, by pinyin. keyword matches a part of the name, or the beginning of the
// pinyin or of its initials; "" matches all.
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
		if strings.Contains(c.Name, keyword) || strings.HasPrefix(c.Pinyin, keyword) || strings.HasPrefix(initials(c), keyword) {
			found = append(found, c)
		}
	}
	return found, nil
}

// HotCities are the cities that a provider names so.
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

// City finds a city by its division code or by an id that a provider gave it; ErrCityNotFound.
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

func (s *Service) allCities(ctx context.Context) ([]City, error) {
	return s.cities.get(ctx, "", func(ctx context.Context) ([]City, error) {
		var legacy, newmovie []City
		legacyErr, newmovieErr := both(
			func() (err error) { legacy, err = s.legacy.Cities(ctx); return err },
			func() (err error) { newmovie, err = s.newmovie.Cities(ctx); return err },
		)
		// Half of the ids would be kept for minutes and make every cinema of that source vanish, so a city list
		// of one source is not a list.
		if err := errors.Join(legacyErr, newmovieErr); err != nil {
			return nil, fmt.Errorf("read the cities of both sources: %w", err)
		}
		return mergeCities(legacy, newmovie), nil
	})
}

// mergeCities joins by division code, the one key that both sources share.
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

// both runs two reads side by side.
func both(first, second func() error) (firstErr, secondErr error) {
	var wg sync.WaitGroup
	wg.Go(func() { secondErr = second() })
	firstErr = first()
	wg.Wait()
	return firstErr, secondErr
}
