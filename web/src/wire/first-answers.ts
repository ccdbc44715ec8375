/** Milliseconds for which answers that came with the page may be used. */
const fresh = 15_000;

/**
 * The fields that every signed call has. They are ignored when a call is compared with the calls whose answers came
 * with the page.
 */
const around = ['channel_no', 'appkey', 'timestamp', 'v', 'sign'];

let brought: { at: number; answers: Record<string, unknown> } | undefined = read(
  document.getElementById('marquee-answers')?.textContent,
);

function read(text: string | null | undefined): typeof brought {
  try {
    const { at, answers } = JSON.parse(text ?? '');
    return typeof at === 'number' && typeof answers === 'object' && answers ? { at, answers } : undefined;
  } catch {
    // The page contains no answers, or was truncated. The calls are then sent to the shop.
    return undefined;
  }
}

/** Replaces the answers that came with the page, for tests. Otherwise they are read when this module loads. */
export function bringAnswers(text: string): void {
  brought = read(text);
}

function isFresh({ at }: { at: number }): boolean {
  return Math.abs(Date.now() - at) <= fresh;
}

function keyOf(path: string, fields: URLSearchParams | undefined): string {
  const { pathname, searchParams } = new URL(path, window.location.origin);
  const asked = [...searchParams, ...(fields ?? [])].filter(([name, value]) => value !== '' && !around.includes(name));
  return `${pathname}?${new URLSearchParams(asked.sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}

/**
 * Returns the answer to a call if it came with the page. Each answer is used only once, and only while it is recent,
 * because a page from a cache or from the history contains old answers.
 */
export function takeAnswer(path: string, fields: URLSearchParams | undefined): unknown {
  if (!brought || !isFresh(brought)) return undefined;
  const key = keyOf(path, fields);
  const answer = brought.answers[key];
  delete brought.answers[key];
  return answer;
}
