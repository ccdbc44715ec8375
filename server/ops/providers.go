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

// ObserveProvider returns the observer of the operations of a provider's client. It measures them, logs those that fail
// and sends a span for each. provider is the label of the metrics. An operation may take several exchanges.
func (m *Metrics) ObserveProvider(
	provider string, logger *slog.Logger,
) func(ctx context.Context, operation string, start time.Time, err error) {
	return func(ctx context.Context, operation string, start time.Time, err error) {
		end, outcome := time.Now(), outcomeOf(err)
		m.traceCall(ctx, provider+" "+operation, outcome, start, end)
		m.countCode(operation, outcome)
		if errors.Is(err, fault.ErrService) {
			return // the call was not made, because the shop could not read its token
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

// traceCall sends the span of an operation that has ended: a child of the request, or the beginning of a trace in a
// job.
func (m *Metrics) traceCall(ctx context.Context, name, outcome string, start, end time.Time) {
	_, span := m.traces.Provider().Tracer("marquee").Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithTimestamp(start), trace.WithAttributes(
			attribute.String("request_id", requestid.Of(ctx)), attribute.String("outcome", outcome)))
	span.End(trace.WithTimestamp(end))
}

// countCode counts a code that the SMS vendor was asked to send, and a challenge that the captcha vendor was asked to
// check.
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
