import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { BrowserRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { beijing, shanghai, wuxi } from '../../test/samples';
import { server } from '../../test/server';
import { shop } from '../../test/shop';
import { main, post } from '../../test/wire';
import { firstCity, useOfferedCity, usePlaceCity } from './chosen-city';

beforeEach(() => {
  server.use(...shop);
  localStorage.setItem('cities', JSON.stringify([shanghai]));
});

/** Opens an address as a link does: its history entry has no state. */
function openLink(address: string) {
  window.history.pushState(null, '', address);
  return loadDocument();
}

/** Reloads the app at the current history entry, whose state the browser keeps. */
async function loadDocument() {
  cleanup();
  vi.resetModules();
  const { chooseCity, usePlaceCity } = await import('./chosen-city');
  function Page() {
    return <h1>{usePlaceCity().city?.name}</h1>;
  }
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <Page />
      </BrowserRouter>
    </QueryClientProvider>,
  );
  return { queries, chooseCity };
}

const inAddress = () => new URLSearchParams(window.location.search).get('city');

async function shows(city: typeof shanghai) {
  expect(await screen.findByRole('heading', { name: city.name })).toBeVisible();
  await waitFor(() => expect(inAddress()).toBe(city.id));
}

test.each([
  ['the app put into an address', '/multiplex'],
  ['of a link to the own one', `/multiplex?city=${shanghai.id}`],
])('a city %s is replaced by a later choice, also after a reload of the app', async (_, address) => {
  await openLink(address);
  await shows(shanghai);
  cleanup();
  localStorage.setItem('cities', JSON.stringify([beijing, shanghai]));
  await loadDocument();
  await shows(beijing);
});

test('the city of a link is replaced by a later choice, also after a reload of the app', async () => {
  const { chooseCity } = await openLink(`/index?city=${wuxi.cityid1}`);
  await shows(wuxi);
  cleanup();
  chooseCity(beijing);
  await loadDocument();
  await shows(beijing);
});

test('a link to a city that the app had put into an address before is shown', async () => {
  await openLink('/index');
  await shows(shanghai);
  localStorage.setItem('cities', JSON.stringify([beijing, shanghai]));
  await openLink(`/index?city=${shanghai.id}`);
  await shows(shanghai);
});

test('a link keeps its city while the cities cannot be loaded', async () => {
  server.use(post('/movie/route/Movie/citylist', () => main.reject('provider_unavailable', '城市服务繁忙')));
  const { queries } = await openLink(`/index?city=${wuxi.id}`);
  expect(await screen.findByRole('heading', { name: shanghai.name })).toBeVisible();
  expect(inAddress()).toBe(wuxi.id);
  server.use(post('/movie/route/Movie/citylist', () => main.ok({ list: [shanghai, wuxi] })));
  await act(() => queries.refetchQueries());
  await shows(wuxi);
});

test('the first city is that of the address, if it is known without a call', async () => {
  const first = (city: string) => firstCity(new QueryClient(), new URLSearchParams({ city }));
  expect(await first('')).toEqual(shanghai);
  expect(await first(shanghai.cityid2)).toEqual(shanghai);
  expect(await first(wuxi.id)).toBeUndefined();
  localStorage.clear();
  expect(await first(wuxi.id)).toBeUndefined();
  // Without a choice it is the first hot city, also after a reload.
  localStorage.setItem('shown-city', JSON.stringify([shanghai]));
  expect(await first(shanghai.id)).toEqual(shanghai);
});

// The query for the permission to use the position is slow. While it is pending, the customer opens another page.
test('a page that is opened while the city is being looked up shows it', async () => {
  localStorage.clear();
  window.history.pushState(null, '', '/index');
  let answer = () => {};
  const query = vi.fn(
    () =>
      new Promise((resolve) => {
        answer = () => resolve({ state: 'denied' });
      }),
  );
  Object.defineProperty(navigator, 'permissions', { configurable: true, value: { query } });
  function Home() {
    const { city } = usePlaceCity();
    useOfferedCity(city);
    return <h2>{city?.name}</h2>;
  }
  function Cinemas() {
    return <h1>{usePlaceCity().city?.name}</h1>;
  }
  const app = (page: ReactNode) => (
    <QueryClientProvider client={queries}>
      <BrowserRouter>{page}</BrowserRouter>
    </QueryClientProvider>
  );
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { rerender } = render(app(<Home />));
  await waitFor(() => expect(query).toHaveBeenCalled());
  rerender(app(<Cinemas />));
  answer();
  await shows(shanghai);
  Reflect.deleteProperty(navigator, 'permissions');
});
