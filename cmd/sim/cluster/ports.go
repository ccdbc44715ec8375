package cluster

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
)

// Port is a TCP port of this machine that no other caller of ReservePort gets before Release.
type Port struct {
	Address string // "127.0.0.1:20123"

	// reserved is a UDP socket with the same number. It marks the number as taken for other callers, also in other
	// processes: their attempt to open it fails. A TCP socket cannot be used as the mark, because the process for which
	// the port is reserved must listen on it. The kernel closes the socket with this process.
	reserved net.PacketConn
}

// ReservePort returns a port that a process to be started can listen on. Its number is below the range that the kernel
// gives to outgoing connections: one of those could take the port while a replica is down.
//
// A port that is merely free now is not enough: two clusters, of one process or of two, would choose the same one
// before a replica of either listens on it.
func ReservePort() (Port, error) {
	for range 100 {
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(20000+rand.IntN(12000)))
		reserved, err := new(net.ListenConfig).ListenPacket(context.Background(), "udp", address)
		if err != nil {
			continue
		}
		p := Port{Address: address, reserved: reserved}
		l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
		if err == nil {
			return p, l.Close()
		}
		_ = p.Release()
	}
	return Port{}, errors.New("cluster: no free port between 20000 and 32000")
}

// Release lets other callers have the port.
func (p Port) Release() error { return p.reserved.Close() }
