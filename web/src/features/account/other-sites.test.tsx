import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderScreen } from '../../../test/render';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { config } from '../../wire/config';
import ProfileScreen from './profile-screen';

const none = { ...config.links };

beforeEach(() => {
  server.use(...shop);
  localStorage.setItem('token', 'tok');
});
afterEach(() => void Object.assign(config.links, none));

test('the personal center leads to the separate shop, cake and book sites', async () => {
  Object.assign(config.links, {
    shop: 'https://shop.test/',
    cake: 'https://cake.test/',
    book: 'https://book.test/',
  });
  renderScreen(<ProfileScreen />, '/personCenter');
  const sites = await screen.findByRole('navigation', { name: '更多服务' });
  expect(within(sites).getByRole('link', { name: '商城' })).toHaveAttribute('href', 'https://shop.test/');
  expect(within(sites).getByRole('link', { name: '蛋糕' })).toHaveAttribute('href', 'https://cake.test/');
  expect(within(sites).getByRole('link', { name: '图书' })).toHaveAttribute('href', 'https://book.test/');
});

test('a site without an address is left out', async () => {
  Object.assign(config.links, { shop: '', cake: 'https://cake.test/', book: '' });
  renderScreen(<ProfileScreen />, '/personCenter');
  const sites = await screen.findByRole('navigation', { name: '更多服务' });
  expect(within(sites).getAllByRole('link')).toHaveLength(1);
});

test('customer service is there from 9:00 to 21:00 all year', async () => {
  renderScreen(<ProfileScreen />, '/personCenter');
  expect(await screen.findByText('服务时间 9:00-21:00，全年无休')).toBeVisible();
});
