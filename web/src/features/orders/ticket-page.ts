import { absoluteAddress } from '../../wire/absolute-address';
import { post, token } from '../../wire/client';
import { TicketAddress } from '../../wire/generated/TicketAddress';

/**
 * Fetches the address of the provider's page for a ticket. It contains a token that is valid for a few minutes, so open
 * it at once. Only issued orders of newmovie have such a page.
 */
export async function ticketPage(oid: string): Promise<string> {
  const { url } = await post('/newmovie/seat/ticketToken', { ...token(), oid }, TicketAddress);
  return absoluteAddress(url);
}
