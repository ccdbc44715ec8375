package art

import "fmt"

// space is a great planet among stars, with somebody's small ship.
func space(c *canvas) {
	c.gradient("sky", c.p.deep, c.p.deep, c.p.dark)
	c.fill("url(#sky)")
	for range 140 {
		c.add(`<circle cx="%d" cy="%d" r="%.1f" fill="%s" opacity="0.%d"/>`, c.r.N(c.w), c.r.N(c.h), 0.5+c.r.Float()*1.6, c.p.light, c.r.Between(30, 95))
	}
	x, y := c.w*c.r.Between(25, 75)/100, c.h*c.r.Between(38, 52)/100
	radius := c.w * c.r.Between(28, 42) / 100
	c.glow("air", c.p.accent+"/0.55", c.p.accent+"/0.5", c.p.accent+"/0")
	c.circle(x, y, radius*13/10, "url(#air)")
	c.add(`<clipPath id="ball"><circle cx="%d" cy="%d" r="%d"/></clipPath><g clip-path="url(#ball)">`, x, y, radius)
	c.circle(x, y, radius, c.p.mid)
	for i := range 9 {
		colour := []string{c.p.dark, c.p.light, c.p.mid, c.p.accent}[c.r.N(4)]
		c.add(`<ellipse cx="%d" cy="%d" rx="%d" ry="%d" fill="%s" opacity="0.%d"/>`, x+c.r.Between(-20, 20), y-radius+radius*2*i/8, radius*12/10, c.r.Between(6, 24), colour, c.r.Between(25, 60))
	}
	c.add(`<circle cx="%d" cy="%d" r="%d" fill="%s" opacity="0.55"/></g>`, x+radius/2, y+radius/3, radius, c.p.deep)
	if c.r.Chance(0.6) { // rings, before the planet below and behind it above
		c.add(`<g transform="rotate(%d %d %d)" fill="none" stroke="%s">`, c.r.Between(-28, 28), x, y, c.p.light)
		for i := range 3 {
			rx := radius*(14+i)/10 + i*4
			c.add(`<path d="M%d %da%d %d 0 0 0 %d 0" stroke-width="%d" opacity="0.%d"/>`, x-rx, y, rx, rx/5, 2*rx, 9-3*i, 85-20*i)
		}
		fmt.Fprint(c, "</g>")
	}
	c.circle(c.w-x, c.h*18/100, c.w*5/100, c.p.light)
	c.circle(c.w-x+8, c.h*18/100-6, c.w*5/100, c.p.deep)
	sx, sy := c.w*c.r.Between(20, 70)/100, c.h*c.r.Between(66, 74)/100
	c.gradient("trail", c.p.accent+"/0", c.p.accent)
	c.add(`<g transform="translate(%d %d) rotate(%d)"><path d="M-4 0L0 150 4 0z" fill="%s" opacity="0.6"/><path d="M0-34q16 22 12 38h-24q-4-16 12-38zm-12 30l-12 16h10zm24 0l12 16h-10z" fill="%s"/></g>`,
		sx, sy, c.r.Between(20, 60), c.p.accent, c.p.light)
	c.add(`<path d="%s" fill="%s"/>`, ridge(c, c.h*86/100, c.h/12), c.p.deep)
}

// geometry is a cheerful pattern of circles, halves and quarters.
func geometry(c *canvas) {
	c.fill(c.p.light)
	colours := []string{c.p.deep, c.p.dark, c.p.mid, c.p.accent}
	n := c.r.Between(4, 5)
	side := c.w / n
	for row := 0; row*side < c.h*68/100; row++ {
		for col := range n {
			x, y := col*side, row*side
			ground, shape := c.r.N(5), c.r.N(4)
			if ground < 4 {
				c.rect(x, y, side+1, side+1, colours[ground])
			}
			colour := colours[(ground+1+c.r.N(3))%4]
			switch shape {
			case 0:
				c.circle(x+side/2, y+side/2, side*4/10, colour)
				c.circle(x+side/2, y+side/2, side*2/10, c.p.light)
			case 1:
				turn := []int{0, 90, 180, 270}[c.r.N(4)]
				c.add(`<path d="M0 0h%dA%d %d 0 0 1 0 %dz" fill="%s" transform="rotate(%d %d %d) translate(%d %d)"/>`, side, side, side, side, colour, turn, x+side/2, y+side/2, x, y)
			case 2:
				c.path(colour, "M%d %da%d %d 0 0 1 %d 0z", x, y+side/2, side/2, side/2, side)
				c.path(c.p.light, "M%d %da%d %d 0 0 1 %d 0z", x+side/4, y+side, side/4, side/4, side/2)
			default: // a face that looks aside
				c.circle(x+side/2, y+side/2, side*42/100, c.p.light)
				c.circle(x+side/2+side/8, y+side/2, side*2/10, c.p.deep)
				c.circle(x+side/2+side/6, y+side/2-side/12, side/18, c.p.light)
			}
		}
	}
	c.path(c.p.deep, "M0 %dq%d-%d %d 0t%d 0V%dH0z", c.h*70/100, c.w/4, c.h/16, c.w/2, c.w/2, c.h)
}

// spiral is rings that draw the eye in to somebody falling.
func spiral(c *canvas) {
	c.fill(c.p.deep)
	x, y := c.w*c.r.Between(42, 58)/100, c.h*c.r.Between(38, 46)/100
	colours := []string{c.p.dark, c.p.mid, c.p.light, c.p.deep}
	step := c.r.Between(30, 44)
	for i, radius := 0, c.h*7/10; radius > step; i, radius = i+1, radius-step {
		dx, dy := (c.w/2-x)*radius/c.h, (c.h/2-y)*radius/c.h
		c.add(`<circle cx="%d" cy="%d" r="%d" fill="%s"/>`, x+dx+c.r.Between(-5, 5), y+dy+c.r.Between(-5, 5), radius, colours[i%len(colours)])
	}
	c.glow("core", c.p.accent, c.p.accent+"/0.9", c.p.accent+"/0")
	c.circle(x, y, step*3, "url(#core)")
	if c.r.Chance(0.5) { // an eye
		c.path(c.p.light, "M%d %dq%d-%d %d 0q-%d %d-%d 0z", x-step*2, y, step*2, step*2, step*4, step*2, step*2, step*4)
		c.circle(x, y, step*9/10, c.p.accent)
		c.circle(x, y, step*5/10, c.p.deep)
		c.circle(x+step/4, y-step/4, step/6, c.p.light)
	} else {
		c.circle(x, y, step, c.p.accent)
	}
	fx, fy := x+c.r.Between(-90, 90), y+c.h*22/100
	c.add(`<g transform="rotate(%d %d %d)">`, c.r.Between(120, 220), fx, fy)
	c.person(fx, fy+40, c.h/9, c.p.deep)
	fmt.Fprint(c, "</g>")
}
