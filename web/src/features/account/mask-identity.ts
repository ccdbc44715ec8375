/** Masks the middle of an identity in the messaging app (openid): oMar****0003. */
export function maskIdentity(openid: string): string {
  return `${openid.slice(0, 4)}****${openid.slice(-4)}`;
}
