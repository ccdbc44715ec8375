package control

import "encoding/json"

// tenants are the calls about the worlds as such.
type tenants struct{ worlds Worlds }

func (t tenants) list(*request) (any, error) { return map[string]any{"worlds": t.worlds.List()}, nil }

func (t tenants) describe(r *request) (any, error) { return t.worlds.Describe(r.PathValue("id")) }

func (t tenants) create(r *request) (any, error) {
	var q NewWorld
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	if q.Now != nil && (q.Now.Year() < 2020 || q.Now.Year() > 2046) {
		return nil, bad("bad_time", "now must be from 2020 to 2046")
	}
	return t.worlds.Create(q)
}

func (t tenants) change(r *request) (any, error) {
	var q WorldChange
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	return t.worlds.Change(r.PathValue("id"), q)
}

func (t tenants) delete(r *request) (any, error) {
	id := r.PathValue("id")
	return map[string]string{"deleted": id}, t.worlds.Delete(id)
}

func (t tenants) snapshot(r *request) (any, error) {
	file, err := t.worlds.Snapshot(r.PathValue("id"))
	return json.RawMessage(file), err
}

func (t tenants) restore(r *request) (any, error) {
	return t.worlds.Restore(r.body, NewWorld{ID: r.text("id"), AppURL: r.text("app_url"), PushURL: r.text("push_url")})
}

func (t tenants) restoreInto(r *request) (any, error) {
	return t.worlds.RestoreInto(r.PathValue("id"), r.body)
}

func (t tenants) fork(r *request) (any, error) {
	var q NewWorld
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	return t.worlds.Fork(r.PathValue("id"), q)
}

func (t tenants) reset(r *request) (any, error) { return t.worlds.Reset(r.PathValue("id")) }
