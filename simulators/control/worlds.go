package control

import (
	"net/http"
	"net/url"
)

func (a *api) listWorlds(*http.Request) (int, any, error) {
	return http.StatusOK, map[string]any{"worlds": a.worlds.List()}, nil
}

func (a *api) describeWorld(r *http.Request) (int, any, error) {
	return made(http.StatusOK)(a.worlds.Describe(r.PathValue("id")))
}

// made answers with a world's details.
func made(status int) func(Details, error) (int, any, error) {
	return func(d Details, err error) (int, any, error) {
		if err != nil {
			return 0, nil, err
		}
		return status, d, nil
	}
}

func (a *api) createWorld(r *http.Request) (int, any, error) {
	var q NewWorld
	if err := decodeOptional(r, &q, "id, seed, now, frozen, app_url, push_url"); err != nil {
		return 0, nil, err
	}
	if err := addresses(&q.AppURL, &q.PushURL); err != nil {
		return 0, nil, err
	}
	if q.Now != nil && (q.Now.Year() < 2020 || q.Now.Year() > 2046) {
		return 0, nil, bad("bad_time", "now must be from 2020 to 2046")
	}
	return made(http.StatusCreated)(a.worlds.Create(q))
}

func (a *api) changeWorld(r *http.Request) (int, any, error) {
	var q Change
	if err := decode(r, &q, "app_url, push_url"); err != nil {
		return 0, nil, err
	}
	if err := addresses(q.AppURL, q.PushURL); err != nil {
		return 0, nil, err
	}
	return made(http.StatusOK)(a.worlds.Change(r.PathValue("id"), q))
}

// addresses refuses what is not an http address. None is fine.
func addresses(list ...*string) error {
	for _, text := range list {
		if text == nil || *text == "" {
			continue
		}
		if u, err := url.Parse(*text); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return bad("bad_address", "%q is no address like http://127.0.0.1:8080", *text)
		}
	}
	return nil
}

func (a *api) deleteWorld(r *http.Request) (int, any, error) {
	if err := a.worlds.Delete(r.PathValue("id")); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, map[string]string{"deleted": r.PathValue("id")}, nil
}
