package httpapi

import (
	"context"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"marquee/server/account"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/httpapi/admission"
	"marquee/server/httpapi/wire"
)

// operation is what a route does: the form that it reads, the data that it returns and its errors. The document
// contracts/shop.openapi.json and the checks of answers in tests are generated from it (document_test.go).
type operation struct {
	call    call
	form    *wire.Decoder
	data    reflect.Type
	handler string         // such as "httpapi.films.showing": the comment of this method describes the operation
	faults  []*fault.Fault // in addition to those of every call and of the route's traits (route.declared)

	choices []choice // not empty if a field of the form selects one of several operations
}

// choice is an operation that a field of the form selects.
type choice struct {
	name  string // the name of the field; "" for the operation that needs no such field
	value string // the value that selects the operation; "" for any value
	operation
}

// do makes an operation that decodes the form into an In and passes it to handler. Its answer is not compressed. It
// panics if wire.NewDecoder does not accept In.
func do[In, Out any](handler func(context.Context, *request, In) (Out, error), faults ...*fault.Fault) operation {
	return newOperation[Out](handler, func(ctx context.Context, r *request, in In) (*wire.Text, error) {
		out, err := handler(ctx, r, in)
		if err != nil {
			return nil, err
		}
		return wire.NewPrivateJSON(r.backend.Success(out))
	}, faults)
}

// doPublic is do for a handler whose answer is large and never holds a secret: the answer is compressed.
func doPublic[In, Out any](handler func(context.Context, *request, In) (Out, error), faults ...*fault.Fault) operation {
	return newOperation[Out](handler, func(ctx context.Context, r *request, in In) (*wire.Text, error) {
		out, err := handler(ctx, r, in)
		if err != nil {
			return nil, err
		}
		return wire.NewJSON(r.backend.Success(out))
	}, faults)
}

// newOperation makes an operation that decodes the form and passes it to answer. The generated document takes the
// description of the operation from the comment of handler, and its data from Out.
func newOperation[Out, In any](
	handler any, answer func(context.Context, *request, In) (*wire.Text, error), faults []*fault.Fault,
) operation {
	form := wire.NewDecoder(reflect.TypeFor[In]())
	return operation{
		form: form, data: reflect.TypeFor[Out](), handler: nameOf(handler), faults: faults,
		call: func(ctx context.Context, r *request) (*wire.Text, error) {
			var in In
			if err := form.Decode(r.form, reflect.ValueOf(&in).Elem()); err != nil {
				return nil, err
			}
			return answer(ctx, r, in)
		},
	}
}

// nameOf returns the name of a handler, such as httpapi.films.showing. For a function literal it is the name of the
// method that returned it, such as httpapi.goodsPages.list.
func nameOf(handler any) string {
	full := runtime.FuncForPC(reflect.ValueOf(handler).Pointer()).Name()
	// httpapi.films.showing-fm, httpapi.goodsPages.list.func1 or, where list is inlined into a function,
	// httpapi.handlers.goodsRoutes.goodsPages.list.func1
	parts := strings.Split(strings.TrimSuffix(full[strings.LastIndex(full, "/")+1:], "-fm"), ".")
	if last := len(parts) - 1; strings.HasPrefix(parts[last], "func") {
		parts = parts[:last]
	}
	return parts[0] + "." + strings.Join(parts[len(parts)-2:], ".")
}

// none is the form of a call that has only the fields of every call, and the data of an answer without data.
type none struct{}

// providerFaults are the errors of every call that depends on a provider.
var providerFaults = []*fault.Fault{
	fault.ErrUnavailable, fault.ErrUnknown, fault.ErrBadAnswer, fault.ErrRejected, catalog.ErrReload, catalog.ErrStatus,
}

// catalogFaults are the errors of every call that looks up an object at a source.
var catalogFaults = errorsOf(providerFaults, []*fault.Fault{
	catalog.ErrCityNotFound, catalog.ErrFilmNotFound, catalog.ErrCinemaNotFound, catalog.ErrShowNotFound,
})

// errorsOf joins lists of errors.
func errorsOf(lists ...[]*fault.Fault) []*fault.Fault { return slices.Concat(lists...) }

// declared returns the errors that the route may answer with.
func (rt route) declared() []*fault.Fault {
	list := []*fault.Fault{
		wire.ErrChannel, wire.ErrMediaType, wire.ErrBodyTooLarge, wire.ErrFormInvalid, wire.ErrRateLimited,
		wire.ErrCrossOrigin, fault.ErrInvalidInput, fault.ErrService, fault.ErrInternal,
	}
	if rt.traits.class() != admission.Paying && rt.path != pictureUpload.path {
		list = append(list, wire.ErrBusy)
	}
	if rt.traits.has(signed) {
		list = append(list, wire.ErrSignMissing, wire.ErrAppkeyUnknown, wire.ErrSignVersion, wire.ErrSignStale,
			wire.ErrSignWrong)
	}
	if rt.traits.has(buyer) {
		list = append(list, account.ErrLoginRequired)
		if !rt.traits.has(anyAccess) {
			list = append(list, account.ErrAccessLimited)
		}
	}
	if rt.traits.has(trusted) {
		list = append(list, account.ErrLinkUnconfirmed)
	}
	list = append(list, rt.faults...)
	for _, c := range rt.choices {
		list = append(list, c.faults...)
	}
	return list
}

// declares reports whether the route may answer with an error.
func (rt route) declares(f *fault.Fault) bool {
	return slices.ContainsFunc(rt.declared(), func(d *fault.Fault) bool { return d.Code == f.Code })
}
