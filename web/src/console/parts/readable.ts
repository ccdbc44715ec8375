/** JSON with a line for each field, a form with a line for each parameter, anything else as it is. */
export function readable(text: string): string {
  const trimmed = text.trim();
  if (/^[{[]/.test(trimmed)) {
    try {
      return JSON.stringify(JSON.parse(trimmed), null, 2);
    } catch {
      return text; // cut short, or spoilt on purpose
    }
  }
  if (/^[\w.-]+=[^\n<]*$/.test(trimmed)) {
    return trimmed
      .split('&')
      .map((pair) => decoded(pair.replace('=', ' = ')))
      .join('\n');
  }
  return text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
