package control

import (
	"encoding/json"
	"errors"
	"io"
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
	if err := CheckAddresses(&q.AppURL, &q.PushURL); err != nil {
		return 0, nil, err
	}
	if q.Now != nil && (q.Now.Year() < 2020 || q.Now.Year() > 2046) {
		return 0, nil, bad("bad_time", "now must be from 2020 to 2046")
	}
	return made(http.StatusCreated)(a.worlds.Create(q))
}

func (a *api) changeWorld(r *http.Request) (int, any, error) {
	var q WorldChange
	if err := decode(r, &q, "app_url, push_url"); err != nil {
		return 0, nil, err
	}
	if err := CheckAddresses(q.AppURL, q.PushURL); err != nil {
		return 0, nil, err
	}
	return made(http.StatusOK)(a.worlds.Change(r.PathValue("id"), q))
}

// CheckAddresses refuses what is not an http address: bad_address. None is fine.
func CheckAddresses(list ...*string) error {
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

func (a *api) snapshot(r *http.Request) (int, any, error) {
	file, err := a.worlds.Snapshot(r.PathValue("id"))
	return http.StatusOK, json.RawMessage(file), err
}

// file reads a snapshot.
func file(r *http.Request) ([]byte, error) {
	text, err := io.ReadAll(r.Body)
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &tooBig):
		return nil, tooLarge(tooBig.Limit)
	case err != nil:
		return nil, bad("bad_snapshot", "the body ends too early: %s", err)
	}
	return text, nil
}

func (a *api) restore(r *http.Request) (int, any, error) {
	text, err := file(r)
	if err != nil {
		return 0, nil, err
	}
	query := r.URL.Query()
	q := NewWorld{ID: query.Get("id"), AppURL: query.Get("app_url"), PushURL: query.Get("push_url")}
	if err := CheckAddresses(&q.AppURL, &q.PushURL); err != nil {
		return 0, nil, err
	}
	return made(http.StatusCreated)(a.worlds.Restore(text, q))
}

func (a *api) restoreInto(r *http.Request) (int, any, error) {
	text, err := file(r)
	if err != nil {
		return 0, nil, err
	}
	return made(http.StatusOK)(a.worlds.RestoreInto(r.PathValue("id"), text))
}

func (a *api) fork(r *http.Request) (int, any, error) {
	var q struct {
		ID      string `json:"id"`
		AppURL  string `json:"app_url"`
		PushURL string `json:"push_url"`
	}
	if err := decodeOptional(r, &q, "id, app_url, push_url"); err != nil {
		return 0, nil, err
	}
	if err := CheckAddresses(&q.AppURL, &q.PushURL); err != nil {
		return 0, nil, err
	}
	return made(http.StatusCreated)(a.worlds.Fork(r.PathValue("id"), NewWorld{ID: q.ID, AppURL: q.AppURL, PushURL: q.PushURL}))
}

func (a *api) resetWorld(r *http.Request) (int, any, error) {
	return made(http.StatusOK)(a.worlds.Reset(r.PathValue("id")))
}
