package main

import (
	"context"
	"fmt"

	"marquee/server/backoffice"
)

// pepperCommand prints one line for each pepper (the key with which the shop hashes short secrets and encrypts voucher
// codes): its id, its role, and how many secrets need it. No line contains a secret.
type pepperCommand struct{}

// Run scans entire tables, which takes some seconds in a large shop.
func (pepperCommand) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	uses, roles, err := office.Peppers.Uses(ctx)
	for i, u := range uses {
		fmt.Fprintf(p.stdout, "%s\t%s\tvoucher codes %d\tcard passwords %d\tcoupons %d\tpayment passwords %d\n",
			u.KeyID, roles[i], u.VoucherCodes, u.CardPasswords, u.Coupons, u.PaymentPasswords)
	}
	return err
}
