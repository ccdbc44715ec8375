/** The target of a banner or tile: a page of this app or another site; undefined if it has none. */
export function target(url: string): { kind: 'inside' | 'outside'; to: string } | undefined {
  if (url.startsWith('/') && !url.startsWith('//')) return { kind: 'inside', to: url };
  if (!/^https?:\/\//i.test(url)) return undefined;
  try {
    const at = new URL(url);
    return at.origin === window.location.origin
      ? { kind: 'inside', to: at.pathname + at.search + at.hash }
      : { kind: 'outside', to: at.href };
  } catch {
    // The address from the back office is invalid, so the banner has no link.
    return undefined;
  }
}
