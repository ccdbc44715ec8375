import './rich-text.css';
import type { SyntheticEvent } from 'react';
import { cx } from './cx';

interface RichTextProps {
  /** HTML that the caller has sanitized. */
  html: string;
  className?: string;
  as?: 'div' | 'article';
}

/** Renders sanitized HTML. A picture that fails to load is replaced by its alternative text. */
export function RichText({ html, className, as: Tag = 'div' }: RichTextProps) {
  return (
    <Tag className={cx('mq-rich', className)} onErrorCapture={giveWords} dangerouslySetInnerHTML={{ __html: html }} />
  );
}

function giveWords({ target }: SyntheticEvent) {
  if (target instanceof HTMLImageElement) target.replaceWith(target.alt);
}
