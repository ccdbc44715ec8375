package ops

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"marquee/server/fault"
	"marquee/server/requestid"
)

// ObserveProvider returns a function that a provider's client calls after each operation. The function measures the
// operation, logs it (as a warning if its outcome is unavailable, unknown or error), and sends a span for it. provider
// is the label of the metrics. One operation may consist of several HTTP exchanges.
func (m *Metrics) ObserveProvider(
	provider string, logger *slog.Logger,
) func(ctx context.Context, operation string, start time.Time, err error) {
	return func(ctx context.Context, operation string, start time.Time, err error) {
		end, outcome := time.Now(), outcomeOf(err)
		m.traceCall(ctx, provider+" "+operation, outcome, start, end)
		m.countCode(operation, outcome)
		if errors.Is(err, fault.ErrService) {
			return // the provider was not called, because the shop could not read the token for the call
		}
		took := end.Sub(start)
		m.providerCalls.WithLabelValues(provider, operation, outcome).Observe(took.Seconds())
		level := slog.LevelDebug
		switch outcome {
		case "unavailable", "unknown", "error":
			level = slog.LevelWarn
		}
		logger.LogAttrs(ctx, level, "provider call", slog.String("provider", provider),
			slog.String("operation", operation), slog.String("outcome", outcome),
			slog.Duration("took", took.Round(time.Microsecond)), slog.Any("error", err))
	}
}

// traceCall sends the span of an operation that has ended. The parent of the span is that of ctx, such as the request
// or the job.
func (m *Metrics) traceCall(ctx context.Context, name, outcome string, start, end time.Time) {
	_, span := m.traces.Provider().Tracer("marquee").Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithTimestamp(start), trace.WithAttributes(
			attribute.String("request_id", requestid.Of(ctx)), attribute.String("outcome", outcome)))
	span.End(trace.WithTimestamp(end))
}

// countCode counts the results of two operations: the SMS vendor's send_code, and the captcha vendor's check.
func (m *Metrics) countCode(operation, outcome string) {
	switch operation {
	case "send_code":
		result := messageRejected
		switch outcome {
		case "ok", "unknown":
			result = messageSent
		case "unavailable", "error":
			result = messageFailed
		}
		m.messages.WithLabelValues(result).Inc()
	case "check":
		result := challengeFailed
		switch outcome {
		case "ok":
			result = challengePassed
		case "unavailable", "unknown":
			result = challengeUnchecked
		}
		m.challenges.WithLabelValues(result).Inc()
	}
}
