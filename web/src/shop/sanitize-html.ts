/**
 * Sanitizes HTML of the back office, which may contain pasted text of unknown origin. Headings are renamed so that the
 * highest ones get the rank `highest` and the page's outline has no gap.
 */
export async function sanitizeHtml(html: string, highest: 2 | 3 = 2): Promise<string> {
  const { default: purifier } = await import('dompurify');
  const body = document.createElement('div');
  body.append(
    purifier.sanitize(html, { USE_PROFILES: { html: true }, FORBID_ATTR: ['style'], RETURN_DOM_FRAGMENT: true }),
  );
  if (highest === 2 && !body.querySelector('h2')) renameHeadings(body, 'h3', 'h2');
  if (highest === 3) renameHeadings(body, 'h1, h2', 'h3');
  for (const image of body.querySelectorAll('img')) image.loading = 'lazy';
  return body.innerHTML;
}

function renameHeadings(body: HTMLElement, ranks: string, rank: string): void {
  for (const heading of body.querySelectorAll(ranks)) {
    const other = document.createElement(rank);
    other.append(...heading.childNodes);
    heading.replaceWith(other);
  }
}
