import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { renderApp } from '../../test/app';
import { member } from '../../test/samples';
import { server } from '../../test/server';
import { shop } from '../../test/shop';
import { card, main, post } from '../../test/wire';
import { queryClient } from '../shop/query-client';
import { session } from '../wire/session';
import { loadScreen } from './app';
import { needsProof, routes } from './routes';

beforeAll(() =>
  Promise.all(routes.filter(({ path }) => /securitycards|confirmAccount|personCenter/.test(path)).map(loadScreen)),
);
beforeEach(() => {
  queryClient.clear();
  server.use(
    post('/Member/security', () =>
      main.ok({ phone: '138****0000', wechat: false, has_password: true, next_proof: 'owner' }),
    ),
    ...shop,
  );
});

const pages = (access: 'link' | 'limited') =>
  routes.filter((route) => needsProof(route, access)).map((route) => route.path);

test('pages that a session may not use ask for a proof', () => {
  expect(pages('link')).toEqual(['/couponCode', '/bindingCard']);
  expect(pages('limited')).toEqual(
    expect.arrayContaining([
      '/payPassword',
      '/changePhone',
      '/exportData',
      '/closeAccount',
      '/securitycards',
      '/cardinfo',
    ]),
  );
  for (const open of ['/paymentpage', '/orderInfo', '/personCenter', '/filmSeat', '/confirmAccount'])
    expect(pages('limited')).not.toContain(open);
});

test('a page that the shop rejects with limited access asks for a proof in its place', async () => {
  session.logIn('tok', '1');
  server.use(post('/api/api.php/Card/lists', () => card.reject('access_limited', '请先确认账号归属')));
  window.history.pushState(null, '', '/securitycards');
  renderApp();
  expect(await screen.findByRole('button', { name: '是我的账号' })).toBeVisible();
  expect(session.access()).toBe('limited');
  expect(window.location.pathname).toBe('/securitycards');
});

test('a page that is open while another account is logged in shows the data of that account', async () => {
  let arrived = 0;
  let answerFirst = () => {};
  const first = new Promise<void>((resolve) => {
    answerFirst = resolve;
  });
  server.use(
    post('/Member/index', async ({ token }) => {
      arrived++;
      if (token === 'first') await first;
      return main.ok({ ...member, phone: token === 'first' ? '138****0001' : '138****0002' });
    }),
  );
  session.logIn('first', '1', 'link');
  window.history.pushState(null, '', '/personCenter');
  renderApp();
  await waitFor(() => expect(arrived).toBe(1));
  session.logIn('second', '2', 'link'); // while the answer for the first account is on its way
  answerFirst();
  expect(await screen.findByText('138****0002')).toBeVisible();
  session.logIn('first', '1', 'link');
  expect(await screen.findByText('138****0001')).toBeVisible();
  expect(screen.queryByText('138****0002')).toBeNull();
});
