package art

import "marquee/simulators/dataset"

// scene is a composition that fills a canvas: the palettes that suit it, and a function that draws it.
type scene struct {
	palettes []palette
	draw     func(*canvas)
	dark     bool // the top is dark, so that a title there must be light
	busy     bool // there are many details, so that a title is legible only at the bottom
}

// scenes are the compositions of films, stage projects and banners.
var scenes = map[string]scene{
	"sea":      {append(append([]palette{}, day...), night...), sea, false, false},
	"mountain": {day, mountain, false, false},
	"city":     {night, city, true, false},
	"space":    {night, space, true, false},
	"geometry": {bright, geometry, false, true},
	"couple":   {append(append([]palette{}, day...), night[1]), couple, false, false},
	"lantern":  {night, lantern, true, true},
}

// sceneOf returns the scene of a name, mountain for an unknown one, with one of its palettes.
func sceneOf(r *dataset.Rand, name string) (scene, palette) {
	s, ok := scenes[name]
	if !ok {
		s = scenes["mountain"]
	}
	return s, dataset.Pick(r, s.palettes)
}

// sea draws a low sun over water, with a boat or a lighthouse.
func sea(c *canvas) {
	c.sky(c.p.dark, c.p.mid, c.p.light)
	horizon := c.h * c.r.Between(52, 62) / 100
	x, radius := c.w*c.r.Between(30, 70)/100, c.w*c.r.Between(16, 26)/100
	c.glow("halo", faint(c.p.light, 90), faint(c.p.light, 0))
	c.circle(x, horizon-radius/2, radius*2, "url(#halo)")
	c.circle(x, horizon-radius/3, radius, c.p.accent)
	c.ground(horizon, c.p.mid, c.p.dark, c.p.deep)
	for y, i := horizon+6, 1; y < c.h-c.h/6; y, i = y+6+i*2, i+1 { // the sun's reflection on the water
		w := radius * c.r.Between(40, 120) / 100
		c.rect(x-w+c.r.N(w/3+1), y, 2*w*9/10, 3+i/4, faint(c.p.accent, 75-3*i))
	}
	for i := range 4 {
		c.wave(faint(c.p.deep, 35), horizon+(c.h-horizon)*(i+1)/5, 10+6*i)
	}
	if c.r.Chance(0.5) {
		lighthouse(c, x, horizon)
		return
	}
	bx, by := c.w-x, horizon+c.h/12
	c.path(c.p.deep, "M%d %dh90q-8 22-24 24h-44q-16-4-22-24zm40-6v-74l34 68z", bx-45, by)
	c.path(c.p.light, "M%d %dv-60l-28 56z", bx-9, by-8)
}

// lighthouse draws a lighthouse on the side of the picture on which the sun is not.
func lighthouse(c *canvas, sun, horizon int) {
	x := c.w * 78 / 100
	if sun > c.w/2 {
		x = c.w * 20 / 100
	}
	c.path(c.p.deep, "M%d %dq40-34 90-26t80 40l40 60h-260z", x-110, horizon+14)
	c.path(c.p.light, "M%d %dh32l8 160h-48z", x-16, horizon-166)
	c.path(c.p.accent, "M%d %dh35l2 36h-39zm-3 72h41l2 36h-45z", x-18, horizon-134)
	c.path(c.p.deep, "M%d %dh40v8h-40zm8-24h24v24h-24zm-2 0l14-18 14 18z", x-20, horizon-174)
	c.path(faint(c.p.light, 28), "M%d %dL%d %dV%dz", x, horizon-186, c.w-x, horizon-280, horizon-130)
}

// mountain draws ridge behind ridge in haze, with a small figure on the nearest.
func mountain(c *canvas) {
	c.sky(c.p.mid, c.p.light, c.p.light)
	c.circle(c.w*c.r.Between(25, 75)/100, c.h*c.r.Between(26, 38)/100, c.w*c.r.Between(14, 24)/100, c.p.accent)
	for range 7 { // birds
		c.line(c.p.deep, 2, "M%d %dq7-9 13 0q6-9 13 0", c.r.N(c.w), c.h*c.r.Between(12, 36)/100)
	}
	c.gradient("mist", faint(c.p.light, 0), faint(c.p.light, 35), faint(c.p.light, 0))
	for i, color := range []string{c.p.mid, c.p.mid, c.p.dark, c.p.dark, c.p.deep} {
		base := c.h * (50 + 9*i) / 100
		c.ridge(faint(color, 45+13*i), base, c.h*(20-2*i)/100)
		c.rect(0, base-c.h/20, c.w, c.h/7, "url(#mist)")
	}
	x, y := c.w*c.r.Between(25, 75)/100, c.h*80/100
	c.path(c.p.deep, "M%d %dq%d-%d %d 0v%dh-%dz", x-c.w/3, y+c.h/20, c.w/3, c.h/9, c.w*2/3, c.h/4, c.w*2/3)
	c.person(x, y, c.h/10)
}

// city draws lit windows at night above a wet street.
func city(c *canvas) {
	c.sky(c.p.deep, c.p.dark, c.p.mid)
	c.glow("halo", faint(c.p.light, 80), faint(c.p.light, 0))
	x, y := c.w*c.r.Between(20, 80)/100, c.h*c.r.Between(14, 26)/100
	c.circle(x, y, c.w*24/100, "url(#halo)")
	c.circle(x, y, c.w*8/100, c.p.light)
	street := c.h * 76 / 100
	lights := []string{c.p.accent, c.p.light}
	for layer, shade := range []string{c.p.mid, c.p.dark, c.p.deep} {
		var windows scatter
		for x := -c.r.N(40); x < c.w; {
			w, h := c.r.Between(46, 84)+14*layer, c.h*c.r.Between(26, 48)/100-layer*c.h*7/100
			c.rect(x, street-h, w, h, faint(shade, 50+25*layer))
			for wy := street - h + 14; layer > 0 && wy < street-10; wy += 20 {
				for wx := x + 8; wx+16 <= x+w; wx += 15 {
					if c.r.Chance(0.3) {
						windows.add(dataset.Pick(c.r, lights), c.r.Between(45, 95), "M%d %dh8v10h-8z", wx, wy)
					}
				}
			}
			x += w + c.r.N(6)
		}
		windows.fill(c)
	}
	c.ground(street, c.p.dark, c.p.deep)
	var reflections scatter
	for range 26 {
		x, y, w, h := c.r.N(c.w), street+c.r.N(30), c.r.Between(2, 6), c.r.Between(20, 90)
		reflections.add(dataset.Pick(c.r, lights), c.r.Between(15, 40), "M%d %dh%dv%dh-%dz", x, y, w, h, w)
	}
	reflections.fill(c)
	x = c.w * c.r.Between(34, 66) / 100
	c.rect(x-58, street-120, 116, 84, c.p.deep)
	c.rect(x-52, street-114, 104, 22, c.p.accent)
	c.rect(x-52, street-88, 104, 50, faint(c.p.light, 85))
	c.person(x-14, street-36, 48)
}

// lantern draws lights rising over old roofs.
func lantern(c *canvas) {
	c.sky(c.p.deep, c.p.dark, c.p.mid)
	c.stars(60, c.h*6/10)
	c.glow("light", c.p.light, c.p.accent, faint(c.p.accent, 0))
	c.gradient("paper", c.p.accent, c.p.light)
	for range 26 {
		size, x, y := c.r.Between(10, 34), c.r.N(c.w), c.h*c.r.Between(6, 66)/100
		c.circle(x, y, size*2, "url(#light)")
		c.path("url(#paper)", "M%d %dh%dq%d %d-%d %dh-%dq-%d-%d %d-%dz",
			x-size/2, y-size, size, size/2, size, size/4, size*2, size/2, size/2, size, -size/4, size*2)
	}
	for layer, shade := range []string{c.p.dark, c.p.deep} {
		for x := -c.r.N(90); x < c.w; x += c.r.Between(150, 210) {
			roof(c, x, c.h*(74+7*layer)/100+c.r.N(24), c.r.Between(150, 210), shade)
		}
		c.rect(0, c.h*(82+6*layer)/100, c.w, c.h, shade)
	}
	c.person(c.w*c.r.Between(35, 65)/100, c.h*82/100, c.h/9)
}

// roof draws one storey with upturned eaves and three lit windows.
func roof(c *canvas, x, y, w int, fill string) {
	c.path(fill, "M%d %dq%d-8 %d-46h%dq%d 38 %d 46l-10 8h-%dz", x, y, w*3/10, w*35/100, w*3/10, w*5/100, w*35/100, w-20)
	c.rect(x+w/7, y+4, w*5/7, 60, fill)
	for i := range 3 {
		c.rect(x+w/5+i*w/5, y+18, w/9, 20, faint(c.p.accent, 70))
	}
}

// stars scatters n points of light above a height.
func (c *canvas) stars(n, height int) {
	var points scatter
	for range n {
		x, y, radius := c.r.N(c.w), c.r.N(height), c.r.Between(1, 2)
		points.add(c.p.light, c.r.Between(30, 95), "M%d %da%d %d 0 1 0 %d 0a%d %d 0 1 0-%d 0z", x-radius, y,
			radius, radius, 2*radius, radius, radius, 2*radius)
	}
	points.fill(c)
}

// couple draws two people under one umbrella before a great disc.
func couple(c *canvas) {
	c.sky(c.p.light, c.p.light, c.p.mid)
	x, y, radius := c.w/2, c.h*46/100, c.w*c.r.Between(32, 38)/100
	c.circle(x, y, radius+19, c.p.accent)
	c.circle(x, y, radius+17, c.p.light)
	c.circle(x, y, radius, c.p.accent)
	ground := y + radius*8/10
	c.wave(c.p.dark, ground, 5)
	size := radius * 115 / 100
	c.person(x-size/6, ground+8, size)
	c.person(x+size/7, ground+8, size*92/100)
	top := ground - size*118/100
	c.line(c.p.deep, 4, "M%d %dv%d", x, top, size*6/10)
	c.path(c.p.dark, "M%d %dq%d-%d %d 0q-%d-%d-%d 0q-%d-%d-%d 0q-%d-%d-%d 0z", x-size*4/10, top+size/8, size*4/10,
		size/3, size*8/10,
		size*13/100, size/16, size*27/100, size*13/100, size/16, size*27/100, size*13/100, size/16, size*26/100)
	var rain scatter
	for range 60 {
		length := c.r.Between(14, 40)
		rain.add(dataset.Pick(c.r, []string{c.p.deep, c.p.light}), c.r.Between(15, 45), "M%d %dl-%d %d", c.r.N(c.w),
			c.r.N(c.h), length/5, length)
	}
	rain.line(c, 1)
}

// space draws a great planet among stars, with a small ship.
func space(c *canvas) {
	c.sky(c.p.deep, c.p.deep, c.p.dark)
	c.stars(140, c.h)
	x, y, radius := c.w*c.r.Between(25, 75)/100, c.h*c.r.Between(38, 52)/100, c.w*c.r.Between(28, 42)/100
	c.glow("air", faint(c.p.accent, 55), faint(c.p.accent, 50), faint(c.p.accent, 0))
	c.circle(x, y, radius*13/10, "url(#air)")
	c.add(`<clipPath id="ball"><circle cx="%d" cy="%d" r="%d"/></clipPath><g clip-path="url(#ball)">`, x, y, radius)
	c.circle(x, y, radius, c.p.mid)
	for i := range 9 { // bands of cloud
		color := dataset.Pick(c.r, []string{c.p.dark, c.p.light, c.p.mid, c.p.accent})
		c.add(`<ellipse cx="%d" cy="%d" rx="%d" ry="%d"%s/>`, x+c.r.Between(-20, 20), y-radius+radius*2*i/8,
			radius*12/10,
			c.r.Between(6, 24), paint("fill", faint(color, c.r.Between(25, 60))))
	}
	c.circle(x+radius/2, y+radius/3, radius, faint(c.p.deep, 55))
	c.WriteString("</g>")
	if c.r.Chance(0.6) { // rings: the lower half, which is in front of the planet
		c.add(`<g transform="rotate(%d %d %d)">`, c.r.Between(-28, 28), x, y)
		for i := range 3 {
			rx := radius*(14+i)/10 + i*4
			c.line(faint(c.p.light, 85-20*i), 9-3*i, "M%d %da%d %d 0 0 0 %d 0", x-rx, y, rx, rx/5, 2*rx)
		}
		c.WriteString("</g>")
	}
	c.circle(c.w-x, c.h*18/100, c.w*5/100, c.p.light)
	c.circle(c.w-x+8, c.h*18/100-6, c.w*5/100, c.p.deep)
	c.gradient("trail", faint(c.p.accent, 0), c.p.accent)
	c.add(`<g transform="translate(%d %d) rotate(%d)">`, c.w*c.r.Between(20, 70)/100, c.h*c.r.Between(66, 74)/100,
		c.r.Between(20, 60))
	c.path(faint(c.p.accent, 60), "M-4 0L0 150 4 0z")
	c.path(c.p.light, "M0-34q16 22 12 38h-24q-4-16 12-38zm-12 30l-12 16h10zm24 0l12 16h-10z")
	c.WriteString("</g>")
	c.ridge(c.p.deep, c.h*86/100, c.h/12)
}

// geometry draws a pattern of circles, halves and quarters.
func geometry(c *canvas) {
	c.rect(0, 0, c.w, c.h, c.p.light)
	colors := []string{c.p.deep, c.p.dark, c.p.mid, c.p.accent}
	n := c.r.Between(4, 5)
	side := c.w / n
	for row := 0; row*side < c.h*68/100; row++ {
		for col := range n {
			x, y := col*side, row*side
			ground := c.r.N(5)
			if ground < 4 {
				c.rect(x, y, side+1, side+1, colors[ground])
			}
			color := colors[(ground+1+c.r.N(3))%4]
			switch c.r.N(4) {
			case 0:
				c.circle(x+side/2, y+side/2, side*4/10, color)
				c.circle(x+side/2, y+side/2, side*2/10, c.p.light)
			case 1:
				c.add(`<g transform="rotate(%d %d %d) translate(%d %d)">`, 90*c.r.N(4), x+side/2, y+side/2, x, y)
				c.path(color, "M0 0h%dA%d %d 0 0 1 0 %dz", side, side, side, side)
				c.WriteString("</g>")
			case 2:
				c.path(color, "M%d %da%d %d 0 0 1 %d 0z", x, y+side/2, side/2, side/2, side)
				c.path(c.p.light, "M%d %da%d %d 0 0 1 %d 0z", x+side/4, y+side, side/4, side/4, side/2)
			default: // an eye that looks aside
				c.circle(x+side/2, y+side/2, side*42/100, c.p.light)
				c.circle(x+side/2+side/8, y+side/2, side*2/10, c.p.deep)
				c.circle(x+side/2+side/6, y+side/2-side/12, side/18, c.p.light)
			}
		}
	}
	c.path(c.p.deep, "M0 %dq%d-%d %d 0t%d 0V%dH0z", c.h*70/100, c.w/4, c.h/16, c.w/2, c.w/2, c.h)
}
