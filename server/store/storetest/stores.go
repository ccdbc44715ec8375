package storetest

import "marquee/server/store"

// Of returns the stores of a database for Run.
func Of(s *store.Stores) Engine {
	orders := s.Orders()
	return Engine{
		Orders: orders, Reader: orders, Tasks: orders, Purger: orders, Cards: s.Cards(), Goods: s.Goods(),
		Reconciliation: s.Reconciliation(), Accounts: s.Accounts(), Personal: s.Personal(),
	}
}

// AccountsOf returns the stores of a database, for the suite Accounts.
func AccountsOf(s *store.Stores) AccountStores {
	accounts := s.Accounts()
	return AccountStores{
		SessionStore: accounts, CodeStore: s.Codes(), LoginCounter: s.Codes(), IdentityStore: accounts,
		AvatarStore: s.Avatars(), EventStore: accounts, SecurityStore: accounts, NoticeStore: accounts,
		Passwords: accounts, Orders: s.Orders(), Personal: s.Personal(),
	}
}
