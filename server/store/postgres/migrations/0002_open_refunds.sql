-- +goose NO TRANSACTION
-- +goose Up
-- For the metrics of refunds that are not done: read by age, without looking at those that are.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS refunds_open;
CREATE INDEX CONCURRENTLY refunds_open ON refunds (created_at, amount) WHERE state IN ('ready', 'sending', 'unknown');

-- +goose Down
DROP INDEX refunds_open;
