package ops

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"marquee/server/fault"
	"marquee/server/jobs"
	"marquee/server/requestid"
)

// Traces sends spans to a collector. Without a collector it does nothing and starts no goroutine.
type Traces struct {
	provider *sdktrace.TracerProvider // nil: off
}

// NewTraces returns Traces that send spans by OTLP over HTTP to the collector at an endpoint, such as
// http://127.0.0.1:4318. An empty endpoint switches traces off. If the collector does not answer, spans are dropped;
// requests are not delayed.
func NewTraces(ctx context.Context, endpoint, build string) (*Traces, error) {
	if endpoint == "" {
		return &Traces{}, nil
	}
	exporter, err := otlptracehttp.New(ctx,
		otlptracehttp.WithEndpointURL(strings.TrimSuffix(endpoint, "/")+"/v1/traces"))
	if err != nil {
		return nil, fmt.Errorf("ops: connect to OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	return &Traces{sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(
		resource.NewSchemaless(attribute.String("service.name", "marquee"), attribute.String("service.version", build)),
	))}, nil
}

// On reports whether spans are sent.
func (t *Traces) On() bool { return t.provider != nil }

// Provider returns the tracer provider. If traces are off, its spans do nothing.
func (t *Traces) Provider() trace.TracerProvider {
	if !t.On() {
		return noop.NewTracerProvider()
	}
	return t.provider
}

// Handler makes a span for each request. It continues the trace of a caller that sends a traceparent. The span gets the
// route pattern as its name.
func (t *Traces) Handler(next http.Handler) http.Handler {
	if !t.On() {
		return next
	}
	type clientRequest struct{}
	spans := otelhttp.NewHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, _ := r.Context().Value(clientRequest{}).(*http.Request) // set below
		next.ServeHTTP(w, request.WithContext(r.Context()))
	}), "request", otelhttp.WithTracerProvider(t.provider), otelhttp.WithPropagators(propagation.TraceContext{}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The span gets its attributes from this copy of the request, which leaves out personal data: the client's
		// address and agent, the path and the query.
		bare := (&http.Request{
			Method: r.Method, URL: &url.URL{Path: "/"}, Proto: r.Proto, ProtoMajor: r.ProtoMajor, ProtoMinor: r.ProtoMinor,
			Header: http.Header{}, Body: http.NoBody,
		}).WithContext(context.WithValue(r.Context(), clientRequest{}, r))
		for _, name := range (propagation.TraceContext{}).Fields() {
			bare.Header[http.CanonicalHeaderKey(name)] = r.Header.Values(name)
		}
		spans.ServeHTTP(w, bare)
	})
}

// Job runs a task inside a new root span, the parent of the calls and statements of the run. The span's name has the
// kind of the task and, for jobs.KindPeriodic, the name of the periodic job. The subject of any other task identifies
// an object such as an order. It is only an attribute, so that the number of different names is bounded.
func (t *Traces) Job(ctx context.Context, task jobs.Task, run func(context.Context) error) error {
	if !t.On() {
		return run(ctx)
	}
	name := "job " + string(task.Kind)
	if task.Kind == jobs.KindPeriodic {
		name += " " + task.Subject
	}
	ctx, span := t.provider.Tracer("marquee").Start(ctx, name, trace.WithNewRoot(), trace.WithAttributes(
		attribute.String("request_id", requestid.Of(ctx)), attribute.String("queue", string(task.Queue)),
		attribute.String("subject", task.Subject), attribute.Int("tries", task.Tries)))
	defer span.End()
	err := run(ctx)
	if err != nil {
		span.SetStatus(codes.Error, fault.Of(err).Code)
	}
	return err
}

// Close sends the remaining spans, and ends the background goroutine.
func (t *Traces) Close(ctx context.Context) error {
	if !t.On() {
		return nil
	}
	if err := t.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("ops: send the last spans: %w", err)
	}
	return nil
}
