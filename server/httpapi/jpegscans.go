package httpapi

// What a JPEG may cost to decode. A progressive one is drawn in scans, each of which goes over the whole picture for
// as little as a few bytes: a thousand scans are many seconds of work in a small file. Cameras and editors write
// about ten.
const (
	maxScans = 64
	maxWork  = 400 << 20 // pixels times scans
)

// affordable reports whether a JPEG of so many pixels can be decoded with bounded work.
func affordable(picture []byte, pixels int) bool {
	n := jpegScans(picture)
	return n <= maxScans && n*pixels <= maxWork
}

// jpegScans counts the scans up to the end of the picture, in the way in which image/jpeg walks over markers: what
// stands between them is passed over, metadata (which may hold a JPEG of its own) by its length.
func jpegScans(b []byte) (scans int) {
	const (
		rst0, rst7 = 0xd0, 0xd7
		soi, eoi   = 0xd8, 0xd9
		sos        = 0xda
	)
	for i := 0; i+1 < len(b); {
		if b[i] != 0xff {
			i++
			continue
		}
		switch m := b[i+1]; {
		case m == 0xff:
			i++ // a fill byte
		case m == 0x00, m == soi, m >= rst0 && m <= rst7:
			i += 2 // no segment: a stuffed byte, a beginning, a restart
		case m == eoi:
			return scans
		default:
			if m == sos {
				scans++
			}
			if i+3 >= len(b) {
				return scans
			}
			i += 2 + max(2, int(b[i+2])<<8|int(b[i+3]))
		}
	}
	return scans
}
