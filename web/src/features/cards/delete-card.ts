import * as v from 'valibot';
import { postCard, token } from '../../wire/client';
import { numeric } from '../../wire/fields';

const Deleted = v.object({ status: numeric });

/** The status of a deleted card. */
const gone = 3;

/** Deletes a card without balance. It returns whether the card was deleted. */
export async function deleteCard(kid: string): Promise<boolean> {
  const { status } = await postCard('delcard', { ...token(), kid }, Deleted);
  return status === gone;
}
