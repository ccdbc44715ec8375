import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderApp } from '../../test/app';
import { server } from '../../test/server';
import { shop } from '../../test/shop';
import { config } from '../wire/config';
import { session } from '../wire/session';
import { routes } from './routes';

beforeEach(() => server.use(...shop));
afterEach(() => {
  config.simulated = false;
});

function openPage(address: string) {
  window.history.pushState(null, '', address);
  return renderApp();
}

test.each([
  ...routes.map((route) => route.path),
  '/nowhere',
])('%s of a simulated shop shows the demo ribbon', (path) => {
  config.simulated = true;
  session.logIn('tok');
  openPage(path);
  const ribbon = screen.getByRole('complementary', { name: '演示环境' });
  expect(ribbon).toBeVisible();
  expect(ribbon).toHaveTextContent('演示环境 · 票务与支付均为模拟');
});

test('a shop with real providers shows no demo ribbon', () => {
  openPage('/helloWord');
  expect(screen.queryByRole('complementary', { name: '演示环境' })).not.toBeInTheDocument();
});
