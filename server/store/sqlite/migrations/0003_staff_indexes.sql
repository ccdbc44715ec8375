-- +goose Up
-- For the operators' searches and reports.
CREATE INDEX orders_of_ticket_code ON orders (json_extract(tickets, '$[0].Code')) WHERE tickets <> '[]';
CREATE INDEX seat_holds_released ON seat_holds (source, show_id) WHERE state = 'released';
CREATE INDEX legs_captured_by_card ON legs (captured_at) WHERE captured > 0 AND kind = 'card';
CREATE INDEX refunds_returned ON refunds (done_at) WHERE done_at > 0;
CREATE INDEX audit_at ON audit (at, id);
CREATE INDEX audit_of_actor ON audit (actor, at, id);

-- +goose Down
DROP INDEX audit_of_actor;
DROP INDEX audit_at;
DROP INDEX refunds_returned;
DROP INDEX legs_captured_by_card;
DROP INDEX seat_holds_released;
DROP INDEX orders_of_ticket_code;
