package art

import (
	"fmt"
	"math"
	"strings"
)

// sea is a low sun over water, with a boat or a lighthouse.
func sea(c *canvas) {
	c.gradient("sky", c.p.dark, c.p.mid, c.p.light)
	c.fill("url(#sky)")
	horizon := c.h * c.r.Between(52, 62) / 100
	x := c.w * c.r.Between(30, 70) / 100
	radius := c.w * c.r.Between(16, 26) / 100
	c.glow("halo", c.p.light+"/0.9", c.p.light+"/0")
	c.circle(x, horizon-radius/2, radius*2, "url(#halo)")
	c.circle(x, horizon-radius/3, radius, c.p.accent)
	c.gradient("water", c.p.mid, c.p.dark, c.p.deep)
	c.rect(0, horizon, c.w, c.h-horizon, "url(#water)")
	for y, i := horizon+6, 1; y < c.h-c.h/6; y, i = y+6+i*2, i+1 { // the sun's track on the water
		w := radius * c.r.Between(40, 120) / 100
		c.add(`<rect x="%d" y="%d" width="%d" height="%d" rx="3" fill="%s" opacity="%.2f"/>`, x-w+c.r.N(w/3+1), y, 2*w*9/10, 3+i/4, c.p.accent, 0.75-float64(i)*0.03)
	}
	for i := range 4 {
		y := horizon + (c.h-horizon)*(i+1)/5
		c.add(`<path d="%s" fill="%s" opacity="0.35"/>`, wave(c, y, 10+6*i, c.r.Float()*6), c.p.deep)
	}
	if c.r.Chance(0.5) {
		lighthouse(c, x, horizon)
		return
	}
	bx, by := c.w-x, horizon+c.h/12
	c.path(c.p.deep, "M%d %dh90q-8 22-24 24h-44q-16-4-22-24zm40-6v-74l34 68z", bx-45, by)
	c.path(c.p.light, "M%d %dv-60l-28 56z", bx-9, by-8)
}

func lighthouse(c *canvas, sun, horizon int) {
	x := c.w * 78 / 100
	if sun > c.w/2 {
		x = c.w * 20 / 100
	}
	c.path(c.p.deep, "M%d %dq40-34 90-26t80 40l40 60h-260z", x-110, horizon+14)
	c.path(c.p.light, "M%d %dh32l8 160h-48z", x-16, horizon-166)
	c.path(c.p.accent, "M%d %dh35l2 36h-39zm-3 72h41l2 36h-45z", x-18, horizon-134)
	c.path(c.p.deep, "M%d %dh40v8h-40zm8-24h24v24h-24zm-2 0l14-18 14 18z", x-20, horizon-174)
	c.add(`<path d="M%d %dL%d %dV%dz" fill="%s" opacity="0.28"/>`, x, horizon-186, c.w-x, horizon-280, horizon-130, c.p.light)
}

// wave is a closed shape from a wavy line at y down to the bottom.
func wave(c *canvas, y, height int, phase float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M0 %d", c.h)
	for x := 0; x <= c.w; x += c.w / 24 {
		fmt.Fprintf(&b, "L%d %d", x, y+int(float64(height)*math.Sin(phase+float64(x)/float64(c.w)*9)))
	}
	fmt.Fprintf(&b, "L%d %dz", c.w, c.h)
	return b.String()
}

// ridge is a closed shape under a mountain line.
func ridge(c *canvas, y, height int) string {
	points := []float64{0, 0}
	points[0], points[1] = c.r.Float(), c.r.Float()
	for rough := 0.55; len(points) < 40; rough *= 0.6 {
		next := []float64{points[0]}
		for i := 1; i < len(points); i++ {
			next = append(next, (points[i-1]+points[i])/2+(c.r.Float()-0.5)*rough*2, points[i])
		}
		points = next
	}
	var b strings.Builder
	fmt.Fprintf(&b, "M0 %d", c.h)
	for i, p := range points {
		fmt.Fprintf(&b, "L%d %d", i*c.w/(len(points)-1), y-int(p*float64(height)))
	}
	fmt.Fprintf(&b, "L%d %dz", c.w, c.h)
	return b.String()
}

// mountain is ridge behind ridge in haze, and somebody small on the nearest.
func mountain(c *canvas) {
	c.gradient("sky", c.p.mid, c.p.light, c.p.light)
	c.fill("url(#sky)")
	x, y := c.w*c.r.Between(25, 75)/100, c.h*c.r.Between(26, 38)/100
	c.circle(x, y, c.w*c.r.Between(14, 24)/100, c.p.accent)
	for range 7 {
		bx, by := c.r.N(c.w), c.h*c.r.Between(12, 36)/100
		c.add(`<path d="M%d %dq7-9 13 0q6-9 13 0" fill="none" stroke="%s" stroke-width="2"/>`, bx, by, c.p.deep)
	}
	layers := []string{c.p.mid, c.p.mid, c.p.dark, c.p.dark, c.p.deep}
	for i, colour := range layers {
		base := c.h * (50 + 9*i) / 100
		c.add(`<path d="%s" fill="%s" opacity="%.2f"/>`, ridge(c, base, c.h*(20-2*i)/100), colour, 0.45+0.13*float64(i))
		c.gradient(fmt.Sprintf("mist%d", i), c.p.light+"/0", c.p.light+"/0.35", c.p.light+"/0")
		c.rect(0, base-c.h/20, c.w, c.h/7, fmt.Sprintf("url(#mist%d)", i))
	}
	fx, fy := c.w*c.r.Between(25, 75)/100, c.h*80/100
	c.path(c.p.deep, "M%d %dq%d-%d %d 0v%dh-%dz", fx-c.w/3, fy+c.h/20, c.w/3, c.h/9, c.w*2/3, c.h/4, c.w*2/3)
	c.person(fx, fy, c.h/10, c.p.deep)
}

// forest is trunks in fog with a light between them.
func forest(c *canvas) {
	c.gradient("sky", c.p.deep, c.p.dark, c.p.mid)
	c.fill("url(#sky)")
	x, y := c.w*c.r.Between(35, 65)/100, c.h*58/100
	c.glow("halo", c.p.light, c.p.light+"/0.35", c.p.light+"/0")
	c.circle(x, y, c.w*55/100, "url(#halo)")
	for layer := range 3 {
		width := 10 + 16*layer
		opacity := 0.35 + 0.3*float64(layer)
		for tx := c.r.N(60); tx < c.w; tx += c.r.Between(50, 90) + 46*layer {
			if layer == 2 && tx > x-110 && tx < x+90 {
				continue
			}
			lean := c.r.Between(-14, 14)
			c.add(`<path d="M%d 0h%dl%d %dh-%dz" fill="%s" opacity="%.2f"/>`, tx, width, lean, c.h, width+8*layer, c.p.deep, opacity)
			if by := c.r.N(c.h / 2); layer > 0 {
				c.add(`<path d="M%d %dq40-10 70-60q-20 60-66 78z" fill="%s" opacity="%.2f"/>`, tx+width/2, by+60, c.p.deep, opacity)
			}
		}
		c.gradient(fmt.Sprintf("fog%d", layer), c.p.light+"/0", c.p.light+"/0.28", c.p.light+"/0")
		c.rect(0, c.h*(52+9*layer)/100, c.w, c.h/5, fmt.Sprintf("url(#fog%d)", layer))
	}
	c.add(`<path d="%s" fill="%s"/>`, wave(c, c.h*80/100, 12, 2), c.p.deep)
	c.person(x, c.h*81/100, c.h/9, c.p.deep)
	c.circle(x+c.w/14, c.h*76/100, 6, c.p.accent)
}

// road runs straight to the sun.
func road(c *canvas) {
	c.gradient("sky", c.p.dark, c.p.mid, c.p.light)
	c.fill("url(#sky)")
	horizon, x := c.h*56/100, c.w/2+c.w*c.r.Between(-8, 8)/100
	sun := c.w * c.r.Between(24, 32) / 100
	c.circle(x, horizon-sun/3, sun, c.p.accent)
	for i := range 6 { // a sun cut into stripes
		c.rect(0, horizon-sun/3+sun*i/6-i*2, c.w, 3+i*2, c.p.light)
	}
	c.add(`<path d="%s" fill="%s"/>`, ridge(c, horizon+8, c.h/14), c.p.dark)
	c.gradient("ground", c.p.mid, c.p.dark, c.p.deep)
	c.rect(0, horizon, c.w, c.h-horizon, "url(#ground)")
	c.path(c.p.deep, "M%d %dL%d %dH%dz", x, horizon, c.w*94/100, c.h, c.w*6/100)
	for y, s := horizon+14, 4; y < c.h; y, s = y+s*4, s+s/2+1 {
		w := 1 + (y-horizon)/28
		c.path(c.p.light, "M%d %dh%dl%d %dh-%dz", x-w/2, y, w, w/4, s*2, w+w/2)
	}
	for i := range 5 {
		depth := (i + 1) * (i + 1)
		px, height := x-c.w*depth/46-14, c.h*depth/90+16
		base := horizon + (c.h-horizon)*depth/44
		c.add(`<path d="M%d %dv-%dm-%d %dh%d" stroke="%s" stroke-width="%d" fill="none"/>`, px, base, height, height/5, height/6, height*2/5, c.p.deep, 1+i)
	}
	c.path(c.p.deep, "M%d %dq6-16 20-16h22q12 0 18 16l8 2v14h-74v-14z", x+c.w/12, horizon+c.h/7)
	c.circle(x+c.w/12+12, horizon+c.h/7+16, 7, c.p.light)
	c.circle(x+c.w/12+56, horizon+c.h/7+16, 7, c.p.light)
}
