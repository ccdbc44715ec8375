/**
 * Formats the body of a call: JSON with a line for each field, and a form with a line for each parameter. Other texts
 * stay as they are.
 */
export function readable(text: string): string {
  const trimmed = text.trim();
  if (/^[{[]/.test(trimmed)) {
    try {
      return JSON.stringify(JSON.parse(trimmed), null, 2);
    } catch {
      return text; // truncated, or malformed by a planned fault
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
