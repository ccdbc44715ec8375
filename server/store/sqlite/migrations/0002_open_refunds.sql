-- +goose Up
-- For the metrics of refunds that are not done: read by age, without looking at those that are.
CREATE INDEX refunds_open ON refunds (created_at, amount) WHERE state IN ('ready', 'sending', 'unknown');

-- +goose Down
DROP INDEX refunds_open;
