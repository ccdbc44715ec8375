import * as v from 'valibot';
import { postCard, token } from '../../wire/client';
import { numeric } from '../../wire/fields';

const Deleted = v.object({ status: numeric });

/** The status that says the card is gone. */
const gone = 3;

/** Takes a card without balance off the list; whether it is gone. */
export async function deleteCard(kid: string): Promise<boolean> {
  const { status } = await postCard('delcard', { ...token(), kid }, Deleted);
  return status === gone;
}
