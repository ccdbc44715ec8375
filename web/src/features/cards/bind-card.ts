import { postCard, token } from '../../api/client';
import { text } from '../../api/fields';
import * as z from '../../api/shape';

const Bound = z.object({ id: text });

export interface BindCard {
  /** The number on the card. */
  kahao: string;
  pass: string;
}

export function bindCard(card: BindCard) {
  return postCard('addbinding', { ...token(), ...card }, Bound);
}

/** The first thing that keeps the form from being sent, or nothing. */
export function refuseBinding(card: BindCard): string | undefined {
  if (card.kahao.trim() === '') return '请输入卡号';
  if (card.pass.trim() === '') return '请输入密码';
  return undefined;
}
