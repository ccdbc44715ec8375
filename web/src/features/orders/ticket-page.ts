import * as v from 'valibot';
import { postSeat, token } from '../../wire/client';
import { address } from '../../wire/fields';

const TicketPage = v.object({ url: address });

/**
 * Fetches the address of the provider's own page of a ticket. It contains a token for a few minutes and is opened at
 * once. Only issued orders of newmovie have such a page.
 */
export function ticketPage(oid: string) {
  return postSeat('ticketToken', { ...token(), oid }, TicketPage);
}
