/** Milliseconds for which what came with the page is as good as an answer that comes now. */
const fresh = 15_000;

/** What a signed call carries beside its own fields. */
const around = ['channel_no', 'appkey', 'timestamp', 'v', 'sign'];

let brought: { at: number; answers: Record<string, unknown> } | undefined = read(
  document.getElementById('marquee-answers')?.textContent,
);

function read(text: string | null | undefined): typeof brought {
  try {
    const { at, answers } = JSON.parse(text ?? '');
    return typeof at === 'number' && typeof answers === 'object' && answers ? { at, answers } : undefined;
  } catch {
    // None came, or the page was cut short: the calls are made.
    return undefined;
  }
}

/** Takes what a page brought; the one that is open does so by itself. */
export function bringAnswers(text: string): void {
  brought = read(text);
}

/** Whether answers that have not been taken came with the page and are new. */
export function hasAnswers(): boolean {
  return brought !== undefined && isFresh(brought) && Object.keys(brought.answers).length > 0;
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
 * What the server answers to a call of the first screen comes with the page. It counts once, and only while it is new:
 * a page that was kept, or stood in the history, has old answers.
 */
export function takeAnswer(path: string, fields: URLSearchParams | undefined): unknown {
  if (!brought || !isFresh(brought)) return undefined;
  const key = keyOf(path, fields);
  const answer = brought.answers[key];
  delete brought.answers[key];
  return answer;
}
