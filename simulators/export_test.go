package simulators

import (
	"path"
	"reflect"
	"testing"
	"time"
)

// Expire removes the worlds that have been idle for too long at a given real time.
func (s *Simulators) Expire(at time.Time) { s.worlds.expire(at) }

// Build makes simulators that do not listen.
func Build(t testing.TB, o Options) *Simulators {
	t.Helper()
	s := build(o, randomID)
	t.Cleanup(s.stop)
	return s
}

// BuildWithRandomIDs is Build, but worlds that are created without an id get these ids, in this order.
func BuildWithRandomIDs(t testing.TB, o Options, ids ...string) *Simulators {
	t.Helper()
	s := build(o, func() string {
		id := ids[0]
		ids = ids[1:]
		return id
	})
	t.Cleanup(s.stop)
	return s
}

// Folders returns the folders of the world's providers by their names.
func (w *World) Folders() map[string]string {
	folders := map[string]string{}
	for _, p := range w.content.Load().providers {
		folders[p.Name()] = path.Base(reflect.TypeOf(p).Elem().PkgPath())
	}
	return folders
}

// Serving is how many calls of the default world are under way, streams and long polls included.
func (s *Simulators) Serving() int64 { return s.base.activity.serving.Load() }
