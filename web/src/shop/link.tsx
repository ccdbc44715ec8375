import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { type To, useHref, useLinkClickHandler } from 'react-router';

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target'> {
  /** A page of the app. For another site use a plain `a`. */
  to: To;
  replace?: boolean;
  state?: unknown;
}

/**
 * A link to a page of the app, built from the router's hooks for links. The router's `Link` can also preload data,
 * which works only in framework mode, and would add 2 kB to the first route.
 */
export function Link({ to, replace, state, onClick, ...rest }: LinkProps) {
  const href = useHref(to);
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, { ...(replace === undefined ? {} : { replace }), state });
  function click(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (!event.defaultPrevented) follow(event);
  }
  return <a {...rest} href={href} onClick={click} />;
}
