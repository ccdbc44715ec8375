import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { server } from './server';

/** Pulls an element down by a number of pixels and releases it. */
export function pull(element: HTMLElement, by: number) {
  fireEvent.touchStart(element, { touches: [{ clientX: 100, clientY: 100 }] });
  fireEvent.touchMove(element, { touches: [{ clientX: 100, clientY: 100 + by }] });
  fireEvent.touchEnd(element, { touches: [] });
}

/** Pulls a page down until it reloads and returns the paths of the calls that it makes. */
export async function callsOfPull(element: HTMLElement): Promise<string[]> {
  const asked: string[] = [];
  server.events.on('request:start', ({ request }) => asked.push(new URL(request.url).pathname));
  pull(element, 200);
  expect(screen.getByText('刷新中…')).toBeVisible();
  await waitFor(() => expect(screen.queryByText('刷新中…')).toBeNull());
  server.events.removeAllListeners();
  return asked;
}
