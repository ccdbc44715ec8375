import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../../test/render';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import HomeScreen from './home-screen';

vi.mock('./wished-films', () => {
  throw new Error('the chunk cannot be loaded');
});

beforeEach(() => server.use(...shop));

test('if the code of the marked films cannot be loaded, their tab offers a retry and the other tabs stay', async () => {
  renderScreen(<HomeScreen />, '/index?tab=wished');
  expect(await screen.findByRole('button', { name: '重试' })).toBeVisible();
  expect(screen.getByRole('tab', { name: '正在热映' })).toBeVisible();
});
