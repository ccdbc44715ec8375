package art

import "marquee/simulators/dataset"

// palette is five colours that go together: from the darkest to the light, and one that stands out.
type palette struct{ deep, dark, mid, light, accent string }

var (
	night = []palette{
		{"#0a1128", "#14274e", "#31507f", "#c9d8f0", "#ffb454"},
		{"#101018", "#2a1f3d", "#5b3a6e", "#f1d9ee", "#ff5d73"},
		{"#06141b", "#0f3443", "#2d6a7a", "#cfeeea", "#ffd166"},
		{"#14080e", "#49111c", "#8c2f39", "#f6d8c6", "#f2b134"},
		{"#0b0f14", "#1c2b36", "#4a6572", "#e3ecef", "#ff7f50"},
	}
	day = []palette{
		{"#16324f", "#2a628f", "#6aa9c9", "#fbe8cf", "#f26b4e"},
		{"#2b2118", "#7a4a2b", "#d08c4f", "#fbe5c0", "#c8442b"},
		{"#1f2f2a", "#3c6e57", "#8fb996", "#f4efd9", "#e07a3f"},
		{"#2d1e2f", "#8a4f7d", "#d58bab", "#ffe9de", "#ef6351"},
		{"#1d2b38", "#47688b", "#a3bccf", "#f8eddd", "#e9b44c"},
	}
	bright = []palette{
		{"#1d3557", "#e63946", "#f4a261", "#fff6e5", "#2a9d8f"},
		{"#22223b", "#3a86ff", "#ffbe0b", "#fff8f0", "#fb5607"},
		{"#2b2d42", "#ef476f", "#06d6a0", "#fefae8", "#ffd166"},
		{"#3d2645", "#f05d5e", "#7cc6b8", "#fdf1dc", "#f7b32b"},
	}
)

// scene is a way to fill a canvas.
type scene struct {
	palettes []palette
	draw     func(*canvas)
	dark     bool // the top is dark, so that a title there must be light
	busy     bool // there is no quiet place for a title but the foot
}

var scenes = map[string]scene{
	"sea":      {append(append([]palette{}, day...), night...), sea, false, false},
	"mountain": {day, mountain, false, false},
	"city":     {night, city, true, false},
	"space":    {night, space, true, false},
	"forest":   {append(append([]palette{}, night...), day[2]), forest, true, false},
	"train":    {night, train, true, false},
	"geometry": {bright, geometry, false, true},
	"couple":   {append(append([]palette{}, day...), night[1]), couple, false, false},
	"spiral":   {append(append([]palette{}, night...), bright...), spiral, true, true},
	"lantern":  {night, lantern, true, true},
	"road":     {day, road, false, false},
}

// sceneOf is a scene by name with one of its palettes.
func sceneOf(r *dataset.Rand, name string) (scene, palette) {
	s, ok := scenes[name]
	if !ok {
		s = scenes["mountain"]
	}
	return s, dataset.Pick(r, s.palettes)
}
