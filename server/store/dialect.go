package store

// Dialect is the SQL dialect of an engine. Nearly all statements are the same text on both engines. The others are
// fields of statements, or in the files that read the schema (moved.go, transfer.go, verify.go).
type Dialect int

// The dialects.
const (
	SQLite Dialect = iota
	PostgreSQL
)

// planOnce makes the parameter of a LIMIT an expression. If it were a bare parameter, SQLite would plan the statement
// for its value, and compile it again at each call.
const planOnce = ` + 0`

// statements are the texts that differ between the engines.
type statements struct {
	// lockRow is appended to a query whose rows the transaction is going to change. "" on SQLite, which has one writer.
	lockRow string
	// ofOrders follows lockRow in a query of several tables, so that only the order is locked.
	ofOrders string
	// lockOrder, lockUser and lockCard lock the row of the order, the buyer or the card $1. They are "" on SQLite.
	lockOrder, lockUser, lockCard string
	// lockSKU locks the SKU $1: its stock and its codes. It is "" on SQLite.
	lockSKU string
	// lockName locks the name $1 until the end of the transaction, for rules about rows that may not exist yet.
	lockName string
	// claimDue leases at most $2 due tasks of the queue $5, the longest due first.
	claimDue string
	// hexOf is an expression: bytes as lower-case hexadecimal digits. %s stands for the expression of the bytes.
	hexOf string
	// pepperOfHash is an expression: the id of the pepper that the password hash of a buyer needs, which the hash
	// contains.
	pepperOfHash string
	// legOfKey is an expression: the id of the payment leg in the key of the ledger transaction t, such as 17 in
	// "commit:17:0"; 0 for a key without one.
	legOfKey string
	// firstTicketCode is an expression: the first code in the column tickets. An index has the same expression.
	firstTicketCode string
	// foreignKeys lists the columns of foreign keys as (table, number, parent, column, column of the parent); "" if the
	// engine does not allow switching off the check.
	foreignKeys string
}

var statementsOf = map[Dialect]*statements{
	SQLite: {
		claimDue:     claimDueOf(""),
		hexOf:        `lower(hex(%s))`,
		pepperOfHash: `substr(password_hash, instr(password_hash, 'keyid=') + 6, 8)`,
		legOfKey:     `CAST(substr(t.key, length(t.event) + 2) AS INTEGER)`,

		firstTicketCode: `json_extract(tickets, '$[0].Code')`,
		foreignKeys: `SELECT t.name, f.id, f."table", f."from",
				coalesce(f."to", (SELECT name FROM pragma_table_info(f."table") WHERE pk = 1))
			FROM pragma_table_list t, pragma_foreign_key_list(t.name) f
			WHERE t.schema = 'main' AND t.type = 'table' AND t.wr = 0 ORDER BY t.name, f.id, f.seq`,
	},
	PostgreSQL: {
		lockRow:      ` FOR NO KEY UPDATE`,
		ofOrders:     ` OF orders`,
		lockOrder:    `SELECT 1 FROM orders WHERE order_no = $1 FOR NO KEY UPDATE`,
		lockUser:     `SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE`,
		lockCard:     `SELECT 1 FROM cards WHERE id = $1 FOR NO KEY UPDATE`,
		lockSKU:      `SELECT 1 FROM goods_skus WHERE id = $1 FOR NO KEY UPDATE`,
		lockName:     `SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended($1, 0))) AS locked`,
		claimDue:     claimDueOf(` FOR UPDATE SKIP LOCKED`),
		hexOf:        `encode(%s, 'hex')`,
		pepperOfHash: `substr(password_hash, strpos(password_hash, 'keyid=') + 6, 8)`,
		legOfKey:     `coalesce(CAST(substring(t.key FROM '^[^:]*:([0-9]{1,18})(?:$|:)') AS BIGINT), 0)`,

		firstTicketCode: `(CAST(tickets AS jsonb) -> 0 ->> 'Code')`,
	},
}

// claimDueOf returns the statement claimDue with a lock clause for the rows that it selects.
func claimDueOf(lock string) string {
	return `UPDATE tasks SET lease = $3, lease_until = $4 WHERE id IN (
			SELECT id FROM tasks WHERE queue = $5 AND due_at <= $1 AND lease_until <= $1
			ORDER BY due_at, id LIMIT $2` + planOnce + lock + `)
		RETURNING kind, subject, queue, tries`
}
