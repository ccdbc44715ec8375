import type { SyntheticEvent } from 'react';

interface RichTextProps {
  /** Cleaned by the caller: it is shown as it is. */
  html: string;
  className?: string;
  as?: 'div' | 'article';
}

/** A text with its own markup. Of a picture that does not come its words are shown, and not the browser's broken frame. */
export function RichText({ html, className, as: Tag = 'div' }: RichTextProps) {
  return <Tag className={className} onErrorCapture={giveWords} dangerouslySetInnerHTML={{ __html: html }} />;
}

function giveWords({ target }: SyntheticEvent) {
  if (target instanceof HTMLImageElement) target.replaceWith(target.alt);
}
