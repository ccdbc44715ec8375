package wechat

import (
	_ "embed"
	"fmt"
)

//go:embed keys/next_key.pem
var nextKeyPEM string

// platformKeys are the keys with which the platform signs, one after the other.
func platformKeys(first string) [2]*signer {
	keys := [2]*signer{}
	for i, k := range []struct{ pem, serial string }{
		{first, "5157F09EFDC096DE15EBE81A47057A7232F1B8E1"}, {nextKeyPEM, "71D2A0F4C3B85E6699E0A1B7C8D4F3526E1F9A07"},
	} {
		signer, err := sharedSigner(k.pem, k.serial)
		if err != nil {
			panic(fmt.Sprintf("wechat: platform key: %v", err))
		}
		keys[i] = signer
	}
	return keys
}

// platform is the key that signs now.
func (s *Simulator) platform() *signer { return s.keys[s.rotations.Load()%2] }

// rotate lets the platform sign with its other certificate from now on. The certificates call lists both.
func (s *Simulator) rotate() { s.rotations.Add(1) }

// certificates are those that a merchant can download: the one in use and, after a rotation, the one before it.
func (s *Simulator) certificates() []*signer {
	n := s.rotations.Load()
	if n == 0 {
		return []*signer{s.keys[0]}
	}
	return []*signer{s.keys[(n-1)%2], s.keys[n%2]}
}
