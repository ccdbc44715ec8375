import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { target } from './page-content';

interface TargetLinkProps {
  url: string;
  className?: string;
  label?: string;
  children: ReactNode;
}

/**
 * Wraps a banner or tile in a link to a page of the app or another site, or in a div if `url` is not a valid target.
 */
export function TargetLink({ url, className, label, children }: TargetLinkProps) {
  const to = target(url);
  if (!to) return <div className={className}>{children}</div>;
  if (to.kind === 'inside') {
    return (
      <Link to={to.to} className={className} aria-label={label}>
        {children}
      </Link>
    );
  }
  return (
    <a href={to.to} className={className} aria-label={label} rel="noopener">
      {children}
    </a>
  );
}
