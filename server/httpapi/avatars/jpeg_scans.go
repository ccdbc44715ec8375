package avatars

// A progressive JPEG is a series of scans. Each scan makes the decoder pass over the whole picture, and costs the
// sender only a few bytes: a small file with a thousand scans is many seconds of work. Cameras and editors write
// about ten scans. Neither image/jpeg nor golang.org/x/image can limit them, so they are counted before decoding.
const (
	maxScans = 64
	maxWork  = 400 << 20 // pixels times scans
)

// affordable reports whether a JPEG of the given number of pixels can be decoded with bounded work.
func affordable(picture []byte, pixels int) bool {
	n := jpegScans(picture)
	return n <= maxScans && n*pixels <= maxWork
}

// jpegScans counts the scans (SOS markers) up to the end of the picture. It walks over the markers as image/jpeg
// does: a segment, which may hold a thumbnail with scans of its own, is skipped by its length (ITU T.81, B.1.1).
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
			i += 2 // a stuffed byte, a start or a restart: these have no segment
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
