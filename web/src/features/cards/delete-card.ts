import { post, token } from '../../wire/client';
import { DeletedCard } from '../../wire/generated/DeletedCard';

/** The status of a deleted card. */
const gone = 3;

/** Deletes a card without balance. It returns whether the card was deleted. */
export async function deleteCard(kid: string): Promise<boolean> {
  const { status } = await post('/api/api.php/Card/delcard', { ...token(), kid }, DeletedCard);
  return status === gone;
}
