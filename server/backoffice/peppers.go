package backoffice

import (
	"context"

	"marquee/server/pepper"
)

// PepperUse is how many secrets need one pepper.
type PepperUse struct {
	KeyID            string // pepper.Key.ID
	VoucherCodes     int    // in every state
	CardPasswords    int    // passwords of cards that were not merged
	Coupons          int    // of the same cards
	PaymentPasswords int
}

// Peppers reports which peppers are in use.
type Peppers struct {
	ring pepper.Ring
	read ReadModel
}

// PepperRole is the role of a pepper in the shop's configuration.
type PepperRole string

// The roles of a pepper.
const (
	PepperCurrent  PepperRole = "current"
	PepperPrevious PepperRole = "previous"
	PepperUnknown  PepperRole = "not configured"
)

// Uses returns, for each pepper that is configured or needed, how many secrets need it, and its role. The current
// pepper comes first, and the previous one second if there is one.
func (p *Peppers) Uses(ctx context.Context) (uses []PepperUse, roles []PepperRole, err error) {
	found, err := p.read.PepperUses(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i, key := range p.ring.Keys() {
		use := PepperUse{KeyID: key.ID()}
		for _, f := range found {
			if f.KeyID == use.KeyID {
				use = f
			}
		}
		uses, roles = append(uses, use), append(roles, []PepperRole{PepperCurrent, PepperPrevious}[i])
	}
	for _, f := range found {
		if _, known := p.ring.ByID(f.KeyID); !known {
			uses, roles = append(uses, f), append(roles, PepperUnknown)
		}
	}
	return uses, roles, nil
}
