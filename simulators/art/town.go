package art

import "fmt"

// city is lit windows at night above a wet street.
func city(c *canvas) {
	c.gradient("sky", c.p.deep, c.p.dark, c.p.mid)
	c.fill("url(#sky)")
	c.glow("halo", c.p.light+"/0.8", c.p.light+"/0")
	mx, my := c.w*c.r.Between(20, 80)/100, c.h*c.r.Between(14, 26)/100
	c.circle(mx, my, c.w*24/100, "url(#halo)")
	c.circle(mx, my, c.w*8/100, c.p.light)
	street := c.h * 76 / 100
	for layer := range 3 {
		for x := -c.r.N(40); x < c.w; {
			w := c.r.Between(46, 84) + 14*layer
			h := c.h*c.r.Between(26, 48)/100 - layer*c.h*7/100
			shade := []string{c.p.mid, c.p.dark, c.p.deep}[layer]
			c.add(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s" opacity="%.2f"/>`, x, street-h, w, h, shade, 0.5+0.25*float64(layer))
			if layer > 0 {
				windows(c, x+8, street-h+14, w-16, h-24)
			}
			x += w + c.r.N(6)
		}
	}
	c.gradient("wet", c.p.dark, c.p.deep)
	c.rect(0, street, c.w, c.h-street, "url(#wet)")
	for range 26 {
		x := c.r.N(c.w)
		c.add(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s" opacity="0.%d"/>`, x, street+c.r.N(30), c.r.Between(2, 6), c.r.Between(20, 90), []string{c.p.accent, c.p.light}[c.r.N(2)], c.r.Between(15, 40))
	}
	x := c.w * c.r.Between(34, 66) / 100
	c.rect(x-58, street-120, 116, 84, c.p.deep)
	c.add(`<rect x="%d" y="%d" width="104" height="22" rx="4" fill="%s"/>`, x-52, street-114, c.p.accent)
	c.add(`<rect x="%d" y="%d" width="104" height="50" fill="%s" opacity="0.85"/>`, x-52, street-88, c.p.light)
	c.person(x-14, street-36, 48, c.p.deep)
}

func windows(c *canvas, x, y, w, h int) {
	for wy := y; wy < y+h; wy += 20 {
		for wx := x; wx+8 <= x+w; wx += 15 {
			if c.r.Chance(0.3) {
				c.add(`<rect x="%d" y="%d" width="8" height="10" fill="%s" opacity="0.%d"/>`, wx, wy, []string{c.p.accent, c.p.light}[c.r.N(2)], c.r.Between(45, 95))
			}
		}
	}
}

// train comes out of the mist on a straight line.
func train(c *canvas) {
	c.gradient("sky", c.p.deep, c.p.mid, c.p.light)
	c.fill("url(#sky)")
	x, horizon := c.w/2, c.h*54/100
	c.add(`<path d="%s" fill="%s" opacity="0.5"/>`, ridge(c, horizon, c.h/6), c.p.dark)
	c.gradient("snow", c.p.light, c.p.mid, c.p.dark)
	c.rect(0, horizon, c.w, c.h-horizon, "url(#snow)")
	for i := range 14 {
		y := horizon + (c.h-horizon)*(i+1)*(i+1)/196
		w := 24 + (y-horizon)*13/10
		c.rect(x-w/2, y, w, 2+i, c.p.deep)
	}
	c.path(c.p.deep, "M%d %dL%d %dh18zM%d %dL%d %dh18z", x-10, horizon, c.w*14/100, c.h, x+10, horizon, c.w*84/100, c.h)
	c.glow("lamp", c.p.light, c.p.accent+"/0.6", c.p.accent+"/0")
	c.circle(x, horizon-4, c.w*40/100, "url(#lamp)")
	top := horizon - c.w*27/100
	c.path(c.p.deep, "M%d %dq%d-40 %d 0l26 %dh-%dz", x-c.w*14/100, top, c.w*14/100, c.w*28/100, c.w*32/100, c.w*28/100+52)
	c.add(`<rect x="%d" y="%d" width="%d" height="%d" rx="8" fill="%s"/>`, x-c.w*11/100, top+16, c.w*22/100, c.w*8/100, c.p.mid)
	for _, dx := range []int{-c.w * 10 / 100, 0, c.w * 10 / 100} {
		c.circle(x+dx, top+c.w*19/100, 13, c.p.light)
		c.circle(x+dx, top+c.w*19/100, 8, c.p.accent)
	}
	for range 70 {
		c.add(`<circle cx="%d" cy="%d" r="%d" fill="%s" opacity="0.%d"/>`, c.r.N(c.w), c.r.N(c.h), c.r.Between(1, 4), c.p.light, c.r.Between(25, 80))
	}
	c.person(c.w*c.r.Between(60, 78)/100, c.h*82/100, c.h/8, c.p.deep)
}

// lantern is lights rising over old roofs.
func lantern(c *canvas) {
	c.gradient("sky", c.p.deep, c.p.dark, c.p.mid)
	c.fill("url(#sky)")
	for range 60 {
		c.add(`<circle cx="%d" cy="%d" r="%d" fill="%s" opacity="0.%d"/>`, c.r.N(c.w), c.r.N(c.h*6/10), c.r.Between(1, 2), c.p.light, c.r.Between(30, 90))
	}
	c.glow("light", c.p.light, c.p.accent, c.p.accent+"/0")
	c.gradient("paper", c.p.accent, c.p.light)
	for range 26 {
		size := c.r.Between(10, 34)
		x, y := c.r.N(c.w), c.h*c.r.Between(6, 66)/100
		c.circle(x, y, size*2, "url(#light)")
		c.add(`<path d="M%d %dh%dq%d %d-%d %dh-%dq-%d-%d %d-%dz" fill="url(#paper)"/>`, x-size/2, y-size, size, size/2, size, size/4, size*2, size/2, size/2, size, -size/4, size*2)
	}
	for layer := range 2 {
		shade := []string{c.p.dark, c.p.deep}[layer]
		for x := -c.r.N(90); x < c.w; x += c.r.Between(150, 210) {
			roof(c, x, c.h*(74+7*layer)/100+c.r.N(24), c.r.Between(150, 210), shade)
		}
		c.rect(0, c.h*(82+6*layer)/100, c.w, c.h, shade)
	}
	c.person(c.w*c.r.Between(35, 65)/100, c.h*82/100, c.h/9, c.p.deep)
}

// roof is one storey with upturned eaves.
func roof(c *canvas, x, y, w int, fill string) {
	c.path(fill, "M%d %dq%d-8 %d-46h%dq%d 38 %d 46l-10 8h-%dz", x, y, w*3/10, w*35/100, w*3/10, w*5/100, w*35/100, w-20)
	c.rect(x+w/7, y+4, w*5/7, 60, fill)
	for i := range 3 {
		c.add(`<rect x="%d" y="%d" width="%d" height="20" fill="%s" opacity="0.7"/>`, x+w/5+i*w/5, y+18, w/9, c.p.accent)
	}
}

// couple is two people under one umbrella before a great disc.
func couple(c *canvas) {
	c.gradient("sky", c.p.light, c.p.light, c.p.mid)
	c.fill("url(#sky)")
	x, y := c.w/2, c.h*46/100
	radius := c.w * c.r.Between(32, 38) / 100
	c.circle(x, y, radius, c.p.accent)
	c.add(`<circle cx="%d" cy="%d" r="%d" fill="none" stroke="%s" stroke-width="2"/>`, x, y, radius+18, c.p.accent)
	ground := y + radius*8/10
	c.add(`<path d="%s" fill="%s"/>`, wave(c, ground, 5, c.r.Float()*6), c.p.dark)
	size := radius * 115 / 100
	c.person(x-size/6, ground+8, size, c.p.deep)
	c.person(x+size/7, ground+8, size*92/100, c.p.deep)
	top := ground - size*118/100
	c.add(`<path d="M%d %dv%d" stroke="%s" stroke-width="4"/>`, x, top, size*6/10, c.p.deep)
	c.path(c.p.dark, "M%d %dq%d-%d %d 0q-%d-%d-%d 0q-%d-%d-%d 0q-%d-%d-%d 0z", x-size*4/10, top+size/8, size*4/10, size/3, size*8/10,
		size*13/100, size/16, size*27/100, size*13/100, size/16, size*27/100, size*13/100, size/16, size*26/100)
	for range 60 {
		rx, ry, length := c.r.N(c.w), c.r.N(c.h), c.r.Between(14, 40)
		c.add(`<path d="M%d %dl-%d %d" stroke="%s" opacity="0.%d"/>`, rx, ry, length/5, length, []string{c.p.deep, c.p.light}[c.r.N(2)], c.r.Between(15, 45))
	}
	c.add(`<g opacity="0.25" transform="translate(0 %d) scale(1 -0.5)">`, ground+ground/2+12)
	c.person(x-size/6, ground, size, c.p.deep)
	c.person(x+size/7, ground, size*92/100, c.p.deep)
	fmt.Fprint(c, "</g>")
}
