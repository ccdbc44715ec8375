// Package durations lists how long things last in the shop: sales, holds, payments, logins, points, caches, records and
// the limits of calls. They are declared together, because many depend on one another. The brackets after a comment
// contain the packages that use the duration. Technical pauses on which no rule of the shop depends, such as how often
// a loop polls, are declared where they are used.
package durations

import "time"

// Day is 24 hours. Every day has that length, because Beijing has no daylight saving time.
const Day = 24 * time.Hour

// From the choice of seats to the end of the order.
const (
	// StopSale is how long before its start a show is no longer sold. [catalog]
	StopSale = 15 * time.Minute
	// PayWithin is how long a buyer may take to pay, unless the sale or the provider's lock ends sooner. [backoffice,
	// order]
	PayWithin = 15 * time.Minute
	// ShortestTrade is the shortest life of a trade that the gateway of the messaging app accepts. [checkout]
	ShortestTrade = time.Minute
	// LockMargin is the time from the end of payment, by cards or in the messaging app, to the end of the provider's
	// lock. A trade that is opened in the last second before the end of payment lives for ShortestTrade. Then 30 s
	// remain to request the tickets. [order]
	LockMargin = ShortestTrade + 30*time.Second
	// LeastToPay is how much time to pay the buyer must have when the shop asks for a lock. So seats can no longer be
	// locked shortly before the sale of a show stops. [seating]
	LeastToPay = 2 * time.Minute
	// LeastAfterLock is how much time to pay the buyer must still have when the source has answered the lock. It is
	// shorter than LeastToPay, so that a lock fails if the source grants too short a time, but not because the answer
	// of the source was slow. [seating]
	LeastAfterLock = time.Minute
	// AbandonLock is how long after the time limit of a lock call the shop considers the lock as unanswered even if no
	// result was recorded: the server that made the call has probably died. [seating]
	AbandonLock = 20 * time.Second
	// AbandonedSeats is how long an order whose lock got no answer keeps its seats from other buyers of this shop.
	// [seating]
	AbandonedSeats = 5 * time.Second
	// LateLock is how long after the creation of its order an unanswered lock request may still arrive at the source.
	// [seating]
	LateLock = time.Minute
	// WaitAfterUnpaid is how long a buyer who has let too many orders end unpaid must wait after the last one. It
	// doubles with each further unpaid order. [order]
	WaitAfterUnpaid = time.Minute
	// ShowLength is how long a show is assumed to last if its source reports no end. [store]
	ShowLength = 2 * time.Hour
	// LateNight is how long after midnight a showing may start that its cinema still lists under the evening before.
	// [providers/newmovie]
	LateNight = 6 * time.Hour
)

// Payments, refunds and tickets.
const (
	// FirstTradeQuery is the time from the announcement of an open trade to its first query, SecondTradeQuery from
	// there to the second one, and NextTradeQuery the interval of all further queries. [checkout]
	FirstTradeQuery  = 5 * time.Second
	SecondTradeQuery = 15 * time.Second
	NextTradeQuery   = time.Minute
	// LastTradeQuery is how long after its end a closed trade is queried once more, in case the call that announced it
	// reached the gateway after the call that closed it. [checkout]
	LastTradeQuery = time.Minute
	// LastTradeSpread is the time over which the last queries of trades that end at the same time are spread, because
	// the workers of their queue are also needed for open trades and refunds. [checkout]
	LastTradeSpread = 2 * time.Minute
	// TradeUnknown is how long after a trade's end the shop waits for the gateway to report whether it was paid. Then
	// the payment becomes unknown and its order may end. A trade that was paid in its last second is queried at least
	// twice by then, and the lock of the seats at their source has ended. [checkout]
	TradeUnknown = 3 * time.Minute
	// ExpireRetry is how soon an overdue order is tried again if the gateway does not report whether it was paid.
	// [checkout]
	ExpireRetry = 5 * time.Second
	// FirstRefundQuery and LongestRefundQuery bound the interval between queries of a refund in progress. It is queried
	// again when its age has doubled. The gateway documents minutes for a refund to a balance and days for one to a
	// bank card. [checkout]
	FirstRefundQuery   = 5 * time.Second
	LongestRefundQuery = time.Hour
	// RefundProcessing is how long a refund may be in progress at the gateway before it is flagged for review.
	// [checkout]
	RefundProcessing = 10 * Day
	// RefundWindow is how long after the last request for a refund the gateway certainly still recognizes its number,
	// so that sending it again does not refund twice. Afterwards an unanswered refund is left to an operator.
	// [checkout]
	RefundWindow = Day
	// FirstTicketPoll is the delay between the source's answer to the request for tickets and the first query. If the
	// request was lost, the query sends it again. The delay doubles with each query, up to LongestTicketPoll. An order
	// that is a day old is queried only once in OverdueTicketPoll, because an operator will probably have to end it.
	// [fulfilment]
	FirstTicketPoll   = 3 * time.Second
	LongestTicketPoll = time.Minute
	OverdueTicketPoll = time.Hour
)

// Logins, codes and proofs.
const (
	// Code is how long an SMS code is valid, ResendCode the shortest time between two codes to one phone. [account,
	// httpapi, store]
	Code       = 5 * time.Minute
	ResendCode = 60 * time.Second
	// Session is how long a session lasts after its login. [account]
	Session = 30 * Day
	// SessionUse is the precision with which the last use of a session is saved, so that most requests write nothing.
	// [account]
	SessionUse = time.Hour
	// Proof is how long a proof of an identity is valid after the OAuth exchange. OAuthState is how long an OAuth login
	// may take from its start to its return. [account, httpapi]
	Proof      = 10 * time.Minute
	OAuthState = 10 * time.Minute
	// Dormant is how long a phone may stay unproven before a code sent to it opens its account with limited access.
	// Carriers give a number to another person no earlier than 90 days after it was cancelled. [account, store]
	Dormant = 90 * Day
	// Device is how long a device stays known after the last login on it. [account, httpapi, store]
	Device = 180 * Day
	// Notice is how long sending a notice is retried. [account]
	Notice = Day
	// PasswordLock is how long the payment password is locked after too many wrong ones in a row. Wrong ones are also
	// counted over PasswordWeek, in which a right one does not reset the count. [account, store]
	PasswordLock = 30 * time.Minute
	PasswordWeek = 7 * Day
)

// Cards and points.
const (
	// CardLock is how long a buyer is locked after too many wrong passwords of cards, and how long a buyer waits for
	// the next try at a card under attack. CardAttack is how long a card counts as attacked after the last wrong
	// password. [cards]
	CardLock   = 30 * time.Minute
	CardAttack = Day
	// CardCode is how long the code on a card's page is valid, MergeCode how long a shown merge may be confirmed.
	// [cards]
	CardCode  = 5 * time.Minute
	MergeCode = 10 * time.Minute
	// SoonToExpire is how long before its end a card counts as about to expire. [cards]
	SoonToExpire = 30 * Day
	// RechargedPoints is how long recharged points are valid, LongestValidity how long an operator may make points or
	// goods valid. [backoffice, cards, goods]
	RechargedPoints = 3 * 365 * Day
	LongestValidity = 36_500 * Day
	// ReturnedPoints is how long points stay valid at least after a refund, and after the release of points that have
	// expired while an unpaid order held them. [cards]
	ReturnedPoints = 30 * Day
	// ReleasedPoints bounds how much longer points live because an unpaid order held them. Points that were held an
	// hour before they expire are valid for an hour after their release, those that were held a week before for a day.
	// [cards]
	ReleasedPoints = Day
)

// How long answers of providers are kept and used again.
const (
	// Cities is how long the list of cities is kept, Films one film, Lists the lists of films and of cinemas. [catalog]
	Cities = 10 * time.Minute
	Films  = 5 * time.Minute
	Lists  = time.Minute
	// FilmPrices is how long the prices of a cinema's films are kept. If reading a cinema fails, it is not read again
	// during this time. [catalog]
	FilmPrices = 5 * time.Minute
	// CinemaCodes is the shortest time between two readings of the cinemas of all cities. Such a reading looks for an
	// unknown cinema code. [catalog]
	CinemaCodes = 10 * time.Minute
	// Stale is how old an answer may be that is served while a provider fails. [catalog]
	Stale = time.Hour
	// StaleShowings is Stale for a cinema with its showings. It is shorter, because no seats can be locked while the
	// source fails. [catalog]
	StaleShowings = 5 * time.Minute
	// NotFoundAnswer is how long a provider's answer that an object does not exist is kept. [cache]
	NotFoundAnswer = 30 * time.Second
	// SeatMap is how long the seat map of a show that buyers see is kept; a lock always reads it from the source. [app]
	SeatMap = 500 * time.Millisecond
	// TradeAnswer is how long the gateway's answer about a trade is kept, because pages poll for the result of a
	// payment. [app]
	TradeAnswer = time.Second
)

// Leases, pauses and periods of the work in the background.
const (
	// TaskLease is the longest time after the death of a server until another one may claim its tasks. A running server
	// renews the lease while the task runs. [jobs]
	TaskLease = time.Minute
	// FirstRetry is the delay after the first failure of a task, doubled for each further one up to LongestRetry.
	// [jobs]
	FirstRetry   = 5 * time.Second
	LongestRetry = time.Hour
	// TokenLease is how long a replica has to renew a provider's token. It is longer than two calls of the maximum
	// length. [token]
	TokenLease = 20 * time.Second
	// MaintenanceInterval is the period of the jobs that expire points, delete old records, verify the books and
	// encrypt codes with the current pepper. Each run does a bounded part of its work. [app, purchase]
	MaintenanceInterval = time.Minute
	// Verification is the time from the start of one verification of the books to the start of the next. [store]
	Verification = time.Hour
	// Reconciliation is the interval at which the shop looks for days to reconcile. [app]
	Reconciliation = 10 * time.Minute
	// StatementsReady is the time of day in Beijing from which the day before is reconciled: the gateway makes its
	// bills until 10:00. [reconcile]
	StatementsReady = 10*time.Hour + 30*time.Minute
	// ReconcileAgain is the interval at which a day with open differences is reconciled again. [reconcile]
	ReconcileAgain = Day
	// StatementEdge is how far the clocks of the shop and of another party may differ. What the shop records in the
	// last minutes of a day is compared with the next day's statement. [reconcile]
	StatementEdge = 10 * time.Minute
)

// How long records are kept after their end.
const (
	// KeepRecords is for idempotency keys, merge codes, and the recorded calls to providers that were answered or whose
	// order has ended. [purchase]
	KeepRecords = 30 * Day
	// KeepLogins is for sessions, codes, proofs and notices. They cannot be deleted sooner than after a day, because
	// the limits on codes count the last day. [store]
	KeepLogins = 48 * time.Hour
	// KeepLoginCounts is for the counts of logins of a network. [store]
	KeepLoginCounts = time.Hour
	// KeepEvents is for the events of an account: six months, the least that article 21 of the Cybersecurity Law allows
	// for network logs. The store never deletes a younger event. [store]
	KeepEvents = 184 * Day
	// KeepStatements is for the rows of statements. They are kept for so long because a refund may take weeks.
	// [reconcile]
	KeepStatements = 45 * Day
	// Backlog is how far back a shop that was down catches up with reconciliations, and how long open differences are
	// checked again. [reconcile]
	Backlog = 30 * Day
)

// Calls to providers, in real time.
const (
	// ProviderCall is the limit of one call to a provider, with all its exchanges, if the configuration sets none.
	// [app, providers, purchase, token]
	ProviderCall = 8 * time.Second
	// Bill is the limit of the download of one bill. [providers/wechat]
	Bill = 10 * time.Minute
	// AppTokenMargin is how long before its end a token of the messaging app is no longer used, NewMovieTokenMargin one
	// of newmovie. [providers/newmovie, providers/wechat]
	AppTokenMargin      = 5 * time.Minute
	NewMovieTokenMargin = 60 * time.Second
	// NewMovieToken is how long a token is valid if the answer with the token does not report it, as in the
	// specification. A token that ends earlier is renewed when the provider rejects it. [providers/newmovie]
	NewMovieToken = 10 * time.Minute
	// BackupHostFirst is how long the backup host of an API of the messaging app is tried first after the main host did
	// not answer. [providers/wechat]
	BackupHostFirst = time.Minute
	// UnknownKeyPause is how long the shop sends no command to the gateway after an answer that was signed with a
	// public key that is not configured. Queries are still sent. [providers/wechat]
	UnknownKeyPause = time.Minute
	// CertificatesAgain is the least time between two downloads of the gateway's certificates after a notification with
	// an unknown serial number, which any sender can invent. NoCertificatesAgain is the same after the gateway has
	// reported that the merchant has no certificates. [providers/wechat]
	CertificatesAgain   = 5 * time.Second
	NoCertificatesAgain = 10 * time.Minute
	// PushAge is how old a push of the legacy gateway may be, unless the configuration sets another age. LongestPushAge
	// bounds the configured age, because an attacker could send a recorded push again during that time.
	// [providers/legacygateway, app]
	PushAge        = 10 * time.Minute
	LongestPushAge = time.Hour
)

// Calls of the web app, in real time.
const (
	// Call is the time limit of one call. The web app gives up after 15 s, but after 30 s for calls that lock, order,
	// pay or export. [httpapi]
	Call = 20 * time.Second
	// Drain is how long requests in progress may take after the shop was asked to stop: longer than the longest call.
	// [app]
	Drain = Call + 10*time.Second
	// Signature is how far a signed call's timestamp may be from the time of the shop, in either direction. [httpapi]
	Signature = 10 * time.Minute
	// IdleConnection is how long a connection without a request stays open. [app]
	IdleConnection = 2 * time.Minute
	// BusyRetry is how long an app waits after an answer that the shop is too busy. [account, httpapi]
	BusyRetry = 2 * time.Second
)

// Limits of the doctor and of the alerts.
const (
	// ClockSkew is how far the clock of a machine may be from that of the database or of a provider. A larger
	// difference is reported before it does harm: leases last at least 20 s, and the payment gateway rejects calls
	// whose time is 5 minutes off. [ops, store/postgres]
	ClockSkew = 5 * time.Second
	// OldestBackup and OldestVerification are the maximum ages of the last backup and of the last verification,
	// OldestTask is the maximum time that a due task may wait. [ops]
	OldestBackup       = 26 * time.Hour
	OldestVerification = 26 * time.Hour
	OldestTask         = 5 * time.Minute
	// CertificateEnds is how long before a certificate expires the doctor and the alerts report it. [upkeep]
	CertificateEnds = 14 * Day
	// CertificateLook is the real time between two checks of the same certificate. [ops]
	CertificateLook = time.Hour
)
