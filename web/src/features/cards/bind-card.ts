import { queryOptions } from '@tanstack/react-query';
import { isInput, readInput } from '../../shop/input';
import type { Missing } from '../../ui/submit-button';
import { post, token } from '../../wire/client';
import { BindingGuide } from '../../wire/generated/BindingGuide';
import { CardID } from '../../wire/generated/CardID';

export interface BindCard {
  /** The number on the card or coupon. */
  kahao: string;
  pass: string;
}

export function bindCard(card: BindCard) {
  return post('/api/api.php/Card/addbinding', { ...token(), ...card }, CardID);
}

/** Binds a card by the text of its scanned QR code or bar code. */
export function bindScanned(content: string) {
  return post('/api/api.php/Card/scanbinding', { ...token(), content }, CardID);
}

/** Normalizes the typed number and password. */
export function readBinding(card: BindCard): BindCard {
  return { kahao: readInput('card', card.kahao), pass: readInput('cardPassword', card.pass) };
}

/** The first field that is missing or invalid; undefined if the form is complete. */
export function validateBinding(card: BindCard): Missing | undefined {
  const { kahao, pass } = readBinding(card);
  if (kahao === '') return { text: '请输入卡号', field: 'number' };
  if (!isInput('card', kahao)) return { text: '卡号有误，请核对后重新输入', field: 'number' };
  if (pass === '') return { text: '请输入密码', field: 'password' };
  return undefined;
}

/**
 * Fetches the notes about binding as unsanitized HTML. If `url` is the address of the page, the answer also contains
 * the signature with which the page can use the messaging app's scanner. `url` is empty outside of the messaging app.
 */
export function bindingGuide(url: string, signal?: AbortSignal) {
  return post('/api/api.php/Card/bindingcard', { ...token(), ...(url ? { url } : {}) }, BindingGuide, { signal });
}

export function bindingGuideQuery(url: string) {
  return queryOptions({
    queryKey: ['binding-guide', url],
    queryFn: ({ signal }) => bindingGuide(url, signal),
    staleTime: 60 * 60_000,
  });
}
