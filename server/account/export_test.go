package account

// HashOf returns the hash of a payment password, also of one that SetPaymentPassword rejects.
func HashOf(p *Passwords, password string) string { return p.hash(password) }
