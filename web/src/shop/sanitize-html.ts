/**
 * HTML of the back office, which may have been anybody's before: cleaned once more before it is shown. `highest` is the rank
 * that its headings begin with on the page, so that none is left out: a text that begins with the third is lifted to the second.
 */
export async function sanitizeHtml(html: string, highest: 2 | 3 = 2): Promise<string> {
  const { default: purifier } = await import('dompurify');
  const body = document.createElement('div');
  body.append(
    purifier.sanitize(html, { USE_PROFILES: { html: true }, FORBID_ATTR: ['style'], RETURN_DOM_FRAGMENT: true }),
  );
  if (highest === 2 && !body.querySelector('h2')) retitle(body, 'h3', 'h2');
  if (highest === 3) retitle(body, 'h1, h2', 'h3');
  for (const image of body.querySelectorAll('img')) image.loading = 'lazy';
  return body.innerHTML;
}

function retitle(body: HTMLElement, ranks: string, rank: string): void {
  for (const heading of body.querySelectorAll(ranks)) {
    const other = document.createElement(rank);
    other.append(...heading.childNodes);
    heading.replaceWith(other);
  }
}
