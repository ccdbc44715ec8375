import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '../../test/render';
import { Picture } from '../ui/picture';
import { FilmLink } from './film-link';

function renderLink() {
  return renderScreen(
    <FilmLink to="/filmdetail?id=1">
      <Picture src="/poster.svg" alt="海报" />
    </FilmLink>,
    '/list',
  );
}

function renderLinkNextToPoster() {
  return renderScreen(
    <>
      <Picture src="/poster.svg" alt="海报" />
      <FilmLink to="/filmdetail?id=1" poster={() => document.querySelector('.mq-picture')}>
        长风渡
      </FilmLink>
    </>,
    '/list',
  );
}

test('without view transitions the page of the film appears at once', async () => {
  const { where } = renderLink();
  await userEvent.setup().click(screen.getByRole('link'));
  expect(where()).toBe('/filmdetail?id=1');
});

test.each([
  ['in the link', renderLink],
  ['next to the link', renderLinkNextToPoster],
])('the poster %s is named while the page changes, and the change ends when the page is there', async (_, rendered) => {
  let named = '';
  const changed = vi.fn();
  const start = vi.fn((change: () => Promise<void>) => {
    named = document.querySelector<HTMLElement>('.mq-picture')?.style.viewTransitionName ?? '';
    const finished = Promise.resolve().then(change).then(changed);
    return { ready: Promise.resolve(), finished, skipTransition: vi.fn() };
  });
  Object.assign(document, { startViewTransition: start });
  const { where } = rendered();
  fireEvent.pointerDown(screen.getByRole('link'));
  await import('./move-poster');
  await userEvent.setup().click(screen.getByRole('link'));
  await waitFor(() => expect(changed).toHaveBeenCalledOnce());
  expect(named).toBe('poster');
  await waitFor(() => expect(where()).toBe('/filmdetail?id=1'));
  Reflect.deleteProperty(document, 'startViewTransition');
});
