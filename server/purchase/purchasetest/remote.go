package purchasetest

import (
	"context"
	"net"
	"net/rpc"
	"time"

	"marquee/server/catalog"
	"marquee/server/clocktest"
	"marquee/server/fault"
	"marquee/server/order"
)

// Parties holds the parties outside the shop, which are the fake ticket source and the fake gateway, and the clock. It
// serves them to a shop in another process, so that they keep their state when that process is killed.
type Parties struct {
	Source  *Source
	Gateway *Gateway
	Clock   *clocktest.Clock
	Acked   chan string // receives every result that the shop has reported to a buyer (Served.Ack)
}

// Reply carries a result or a fault between processes.
type Reply[T any] struct {
	Value T
	Fault *fault.Fault
}

func (r *Reply[T]) set(v T, err error) error {
	r.Value = v
	if err != nil {
		r.Fault = fault.Of(err)
	}
	return nil
}

// None is the type of an empty argument or result.
type None struct{ Unused bool }

// Serve serves the calls of clients that Dial connects, until the listener is closed. It returns at once.
func (p *Parties) Serve(l net.Listener) error {
	server := rpc.NewServer()
	if err := server.RegisterName("Parties", &Served{p}); err != nil {
		return err
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return // closed
			}
			go server.ServeConn(conn)
		}
	}()
	return nil
}

// Served holds the methods that can be called from another process.
type Served struct{ p *Parties }

// SeatMap calls the method SeatMap of the fake source. Most methods of Served have the name of the method that they
// call; QueryOrder and QueryTrade call the methods Query of the source and of the gateway.
func (s *Served) SeatMap(id string, r *Reply[catalog.SeatMap]) error {
	return r.set(s.p.Source.SeatMap(context.Background(), id))
}

// Lock calls the method Lock of the fake source.
func (s *Served) Lock(q order.LockRequest, r *Reply[order.Lock]) error {
	return r.set(s.p.Source.Lock(context.Background(), q))
}

// Unlock calls the method Unlock of the fake source.
func (s *Served) Unlock(no string, r *Reply[None]) error {
	return r.set(None{}, s.p.Source.Unlock(context.Background(), no))
}

// Issue calls the method Issue of the fake source.
func (s *Served) Issue(q order.IssueRequest, r *Reply[None]) error {
	return r.set(None{}, s.p.Source.Issue(context.Background(), q))
}

// Drop calls the method Drop of the fake source.
func (s *Served) Drop(no string, r *Reply[None]) error {
	s.p.Source.Drop(no)
	return r.set(None{}, nil)
}

// QueryOrder calls the method Query of the fake source.
func (s *Served) QueryOrder(no string, r *Reply[order.ProviderOrder]) error {
	return r.set(s.p.Source.Query(context.Background(), no))
}

// Prepay calls the method Prepay of the fake gateway.
func (s *Served) Prepay(q order.PrepayRequest, r *Reply[order.BridgeParams]) error {
	return r.set(s.p.Gateway.Prepay(context.Background(), q))
}

// PrepayH5 calls the method PrepayH5 of the fake gateway.
func (s *Served) PrepayH5(q order.PrepayRequest, r *Reply[string]) error {
	return r.set(s.p.Gateway.PrepayH5(context.Background(), q))
}

// QueryTrade calls the method Query of the fake gateway.
func (s *Served) QueryTrade(no string, r *Reply[order.Trade]) error {
	return r.set(s.p.Gateway.Query(context.Background(), no))
}

// Close calls the method Close of the fake gateway.
func (s *Served) Close(no string, r *Reply[None]) error {
	return r.set(None{}, s.p.Gateway.Close(context.Background(), no))
}

// Refund calls the method Refund of the fake gateway.
func (s *Served) Refund(q order.RefundRequest, r *Reply[order.RefundResult]) error {
	return r.set(s.p.Gateway.Refund(context.Background(), q))
}

// QueryRefund calls the method QueryRefund of the fake gateway.
func (s *Served) QueryRefund(no string, r *Reply[order.RefundResult]) error {
	return r.set(s.p.Gateway.QueryRefund(context.Background(), no))
}

// Pay pays a trade as the buyer does, and replies with the notification. If the trade cannot be paid, the fault is
// ErrTradeClosed.
func (s *Served) Pay(no string, r *Reply[order.Trade]) error {
	n, ok := s.p.Gateway.Pay(no)
	if !ok {
		return r.set(n, order.ErrTradeClosed)
	}
	return r.set(n, nil)
}

// Advance moves the clock forward and replies with the new time.
func (s *Served) Advance(d time.Duration, r *Reply[time.Time]) error {
	s.p.Clock.Advance(d)
	return r.set(s.p.Clock.Now(), nil)
}

// Ack sends a result that the shop has reported to a buyer to the channel Acked.
func (s *Served) Ack(what string, r *Reply[None]) error {
	s.p.Acked <- what
	return r.set(None{}, nil)
}

// Remote is a connection to the Parties of another process.
type Remote struct{ client *rpc.Client }

// Dial connects to the Parties that are served at the TCP address.
func Dial(addr string) (*Remote, error) {
	c, err := rpc.Dial("tcp", addr)
	return &Remote{c}, err
}

// Ask calls a method of Served in the other process by its name. It returns the result, or the fault of the method. If
// the connection fails, it returns fault.ErrUnknown, because the method may have run.
func Ask[T any](r *Remote, method string, arg any) (T, error) {
	var reply Reply[T]
	if err := r.client.Call("Parties."+method, arg, &reply); err != nil {
		return reply.Value, fault.ErrUnknown
	}
	if reply.Fault != nil {
		return reply.Value, reply.Fault
	}
	return reply.Value, nil
}

// RemoteSource implements order.TicketSource by calling the fake source (Parties.Source) that another process serves.
type RemoteSource struct{ *Remote }

// SeatMap implements order.TicketSource.
func (r RemoteSource) SeatMap(_ context.Context, id string) (catalog.SeatMap, error) {
	return Ask[catalog.SeatMap](r.Remote, "SeatMap", id)
}

// Lock implements order.TicketSource.
func (r RemoteSource) Lock(_ context.Context, q order.LockRequest) (order.Lock, error) {
	return Ask[order.Lock](r.Remote, "Lock", q)
}

// Unlock implements order.TicketSource.
func (r RemoteSource) Unlock(_ context.Context, no string) error {
	_, err := Ask[None](r.Remote, "Unlock", no)
	return err
}

// Issue implements order.TicketSource.
func (r RemoteSource) Issue(_ context.Context, q order.IssueRequest) error {
	_, err := Ask[None](r.Remote, "Issue", q)
	return err
}

// Query implements order.TicketSource.
func (r RemoteSource) Query(_ context.Context, no string) (order.ProviderOrder, error) {
	return Ask[order.ProviderOrder](r.Remote, "QueryOrder", no)
}

// RemoteGateway implements order.Gateway by calling the fake gateway (Parties.Gateway) that another process serves.
type RemoteGateway struct{ *Remote }

// Prepay implements order.Gateway.
func (r RemoteGateway) Prepay(_ context.Context, q order.PrepayRequest) (order.BridgeParams, error) {
	return Ask[order.BridgeParams](r.Remote, "Prepay", q)
}

// PrepayH5 implements order.Gateway.
func (r RemoteGateway) PrepayH5(_ context.Context, q order.PrepayRequest) (string, error) {
	return Ask[string](r.Remote, "PrepayH5", q)
}

// Query implements order.Gateway.
func (r RemoteGateway) Query(_ context.Context, no string) (order.Trade, error) {
	return Ask[order.Trade](r.Remote, "QueryTrade", no)
}

// Close implements order.Gateway.
func (r RemoteGateway) Close(_ context.Context, no string) error {
	_, err := Ask[None](r.Remote, "Close", no)
	return err
}

// Refund implements order.Gateway.
func (r RemoteGateway) Refund(_ context.Context, q order.RefundRequest) (order.RefundResult, error) {
	return Ask[order.RefundResult](r.Remote, "Refund", q)
}

// QueryRefund implements order.Gateway.
func (r RemoteGateway) QueryRefund(_ context.Context, no string) (order.RefundResult, error) {
	return Ask[order.RefundResult](r.Remote, "QueryRefund", no)
}
