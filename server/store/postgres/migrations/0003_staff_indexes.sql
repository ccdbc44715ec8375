-- +goose NO TRANSACTION
-- +goose Up
-- For the operators' searches and reports.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS orders_of_ticket_code;
CREATE INDEX CONCURRENTLY orders_of_ticket_code ON orders ((CAST(tickets AS jsonb) -> 0 ->> 'Code'))
  WHERE tickets <> '[]';
DROP INDEX CONCURRENTLY IF EXISTS seat_holds_released;
CREATE INDEX CONCURRENTLY seat_holds_released ON seat_holds (source, show_id) WHERE state = 'released';
DROP INDEX CONCURRENTLY IF EXISTS legs_captured_by_card;
CREATE INDEX CONCURRENTLY legs_captured_by_card ON legs (captured_at) WHERE captured > 0 AND kind = 'card';
DROP INDEX CONCURRENTLY IF EXISTS refunds_returned;
CREATE INDEX CONCURRENTLY refunds_returned ON refunds (done_at) WHERE done_at > 0;
DROP INDEX CONCURRENTLY IF EXISTS audit_at;
CREATE INDEX CONCURRENTLY audit_at ON audit (at, id);
DROP INDEX CONCURRENTLY IF EXISTS audit_of_actor;
CREATE INDEX CONCURRENTLY audit_of_actor ON audit (actor, at, id);

-- +goose Down
DROP INDEX audit_of_actor;
DROP INDEX audit_at;
DROP INDEX refunds_returned;
DROP INDEX legs_captured_by_card;
DROP INDEX seat_holds_released;
DROP INDEX orders_of_ticket_code;
