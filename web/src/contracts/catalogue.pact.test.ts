import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, expect, test } from 'vitest';
import { exchange, some } from '../../test/pact';
import {
  city,
  content,
  drama,
  film,
  filmDetail,
  gateway,
  legacyFilm,
  main,
  movie,
  newmovie,
  opi,
  tiles,
} from '../../test/pact-shapes';
import { cinemaBanners } from '../features/cinemas/cinema-banners';
import { legacyCinema, legacyShowings } from '../features/cinemas/legacy-cinema';
import { listCinemas } from '../features/cinemas/list-cinemas';
import { newCinema } from '../features/cinemas/new-cinema';
import { getGuides } from '../features/content/get-guides';
import { homeContent } from '../features/home/home-content';
import { listCities } from '../features/home/list-cities';
import { listDramas } from '../features/home/list-dramas';
import { comingFilms, showingFilms } from '../features/home/list-films';
import { hotCities } from '../shop/chosen-city';
import { getFilm, getLegacyFilm } from '../shop/get-film';
import { hotFilms } from '../shop/hot-films';
import { clockOffset } from '../shop/server-time';
import { session } from '../wire/session';

const { eachLike, integer, like, regex } = MatchersV3;
const state = 'the catalogue';
const movieRoute = '/movie/route/Movie';

// All of this is for everybody.
beforeEach(() => session.logOut());

test('all cities', async () => {
  const answer = main.says({ list: eachLike(city) });
  const cities = await exchange(
    { state, what: 'all cities', path: `${movieRoute}/citylist`, form: { keyword: '' }, answer },
    () => listCities(),
  );
  expect(cities.list[0]).toMatchObject({ cityid1: '310100', cityid2: '2009' });
});

test('cities by pinyin', async () => {
  const answer = main.says({ list: eachLike({ ...city, pinyin: regex('shanghai.*', 'shanghai') }) });
  const cities = await exchange(
    { state, what: 'cities by pinyin', path: `${movieRoute}/citylist`, form: { keyword: 'shanghai' }, answer },
    () => listCities('shanghai'),
  );
  expect(cities.list[0]?.pinyin).toBe('shanghai');
});

test('hot cities', async () => {
  const cities = await exchange(
    { state, what: 'hot cities', path: `${movieRoute}/hotcity`, answer: main.says({ list: eachLike(city) }) },
    () => hotCities(),
  );
  expect(cities.list).toHaveLength(1);
});

const cinema = {
  flag: integer(1),
  name: like('万象幕影城'),
  address: like('长江路642号'),
  name1: like(''),
  address1: like(''),
  cinemaid1: like('17213'),
  cinemaid2: like(''),
  juli: regex('|\\d+\\.\\d', '1.2'),
  price: regex('|\\d+\\.\\d{2}', '43.10'),
  movie_price: '',
};
const cinemas = (film = {}) =>
  main.says({
    city_num: integer(42),
    qu_list: eachLike({ id: like('310101'), name: like('黄浦区'), num: integer(12) }),
    yingyuan: eachLike({ ...cinema, ...film }),
  });

test('the cinemas of a city, near a place', async () => {
  const form = { cityid: some('310100', '\\d+'), lat: '31.23', lng: '121.47' };
  const page = await exchange(
    { state, what: 'the cinemas of a city, near a place', path: `${movieRoute}/cinema`, form, answer: cinemas() },
    () => listCinemas({ cityid: '310100', lat: '31.23', lng: '121.47' }),
  );
  expect(page.city_num).toBe(42);
});

test('the cinemas that show a film', async () => {
  const form = { cityid: some('310100', '\\d+'), movieId: some('1316'), movieCode: some('061173402520') };
  const page = await exchange(
    {
      state,
      what: 'the cinemas that show a film',
      path: `${movieRoute}/cinema`,
      form,
      answer: cinemas({ movie_price: regex('|\\d+\\.\\d{2}', '45.50') }),
    },
    () => listCinemas({ cityid: '310100', movieId: '1316', movieCode: '061173402520' }),
  );
  expect(page.yingyuan[0]?.movie_price).toBe('45.50');
});

test("a call without the channel's signature is refused", async () => {
  await exchange(
    {
      state: 'an unsigned call',
      what: 'hot cities with an unknown key',
      path: `${movieRoute}/hotcity`,
      answer: main.denies('appkey_unknown'),
    },
    () => expect(hotCities()).rejects.toMatchObject({ kind: 'refused', error: 'appkey_unknown' }),
  );
});

test('banners and tiles of the home page', async () => {
  const answer = main.says({ ...content, kaquan_list1: tiles });
  const page = await exchange(
    { state, what: 'banners and tiles of the home page', path: `${movieRoute}/sylbt`, answer },
    () => homeContent(),
  );
  expect(page.banners[0]?.title).toBe('本周热映');
});

test('banners of the cinema list', async () => {
  const page = await exchange(
    { state, what: 'banners of the cinema list', path: `${movieRoute}/yclbt`, answer: main.says(content) },
    () => cinemaBanners(),
  );
  expect(page.banners).toHaveLength(1);
});

test('the time of the shop', async () => {
  const answer = main.says({ time: integer(1795175925) });
  const offset = await exchange({ state, what: 'the time of the shop', path: `${movieRoute}/gettime`, answer }, () =>
    clockOffset(),
  );
  expect(Number.isFinite(offset)).toBe(true);
});

test('the hot films of a city', async () => {
  const form = { method: 'film.hot', cityid: some('310100'), pageNo: '1', pageSize: '99999999' };
  const answer = gateway.says({ total: integer(50), filmList: eachLike(legacyFilm) });
  const films = await exchange({ state, what: 'the hot films of a city', path: '/movie/route', form, answer }, () =>
    hotFilms('310100'),
  );
  expect(films.filmList[0]).toMatchObject({ movieId: '1316', name: '机械心跳' });
});

test('the guides to buying and to viewing', async () => {
  const answer = main.says({ goupiao: like('<p>不支持退票</p>'), guanying: like('<p>请提前入场</p>') });
  const guides = await exchange(
    { state, what: 'the guides to buying and to viewing', path: `${movieRoute}/guide`, answer },
    () => getGuides(),
  );
  expect(guides.goupiao).toBe('<p>不支持退票</p>');
});

test("the guides without the channel's signature are refused", async () => {
  await exchange(
    {
      state: 'an unsigned call',
      what: 'the guides with an unknown key',
      path: `${movieRoute}/guide`,
      answer: main.denies('appkey_unknown'),
    },
    () => expect(getGuides()).rejects.toMatchObject({ kind: 'refused', error: 'appkey_unknown' }),
  );
});

test('the stage projects of a city', async () => {
  const form = { method: 'drama.list', cityid: some('310100', '\\d+'), pageNo: '1', pageSize: '25' };
  const answer = gateway.says({ total: integer(18), projectList: eachLike(drama) });
  const dramas = await exchange(
    { state, what: 'the stage projects of a city', path: '/movie/route', form, answer },
    () => listDramas('310100'),
  );
  expect(dramas.projectList[0]).toMatchObject({ name: '茶馆外的雪', minprice: 18000 });
});

test('the stage projects of an unknown city', async () => {
  const form = { method: 'drama.list', cityid: 'nowhere', pageNo: '1', pageSize: '25' };
  const answer = gateway.denies('city_not_found');
  await exchange(
    { state: 'no session', what: 'the stage projects of an unknown city', path: '/movie/route', form, answer },
    () => expect(listDramas('nowhere')).rejects.toMatchObject({ kind: 'refused', error: 'city_not_found' }),
  );
});

test('a legacy cinema with its films', async () => {
  const form = { method: 'cinema.detail', cinemaid: some('17213') };
  const answer = gateway.says({
    cinema: {
      cinemaid: like('17213'),
      cinemaname: like('万象幕影城'),
      address: like('长江路642号'),
      phone: like('0721-6943154'),
    },
    filmList: eachLike(legacyFilm),
  });
  const found = await exchange(
    { state, what: 'a legacy cinema with its films', path: '/movie/route', form, answer },
    () => legacyCinema('17213'),
  );
  expect(found.cinema.cinemaname).toBe('万象幕影城');
});

test('an unknown legacy cinema', async () => {
  const form = { method: 'cinema.detail', cinemaid: 'nowhere' };
  const answer = gateway.denies('cinema_not_found');
  await exchange({ state: 'no session', what: 'an unknown legacy cinema', path: '/movie/route', form, answer }, () =>
    expect(legacyCinema('nowhere')).rejects.toMatchObject({ kind: 'refused', error: 'cinema_not_found' }),
  );
});

test('the showings of a film at a legacy cinema', async () => {
  const form = { method: 'opi.list.v2', cinemaid: some('17213'), movieid: some('1316') };
  const answer = gateway.says({ dates: eachLike(like('2026-11-21')), opiList: eachLike(opi) });
  const found = await exchange(
    { state, what: 'the showings of a film at a legacy cinema', path: '/movie/route', form, answer },
    () => legacyShowings('17213', '1316'),
  );
  expect(found.opiList[0]?.price).toBe(5520);
});

const films = newmovie.says({ total: integer(41), list: eachLike(film) });

test('the films showing in a city', async () => {
  const query = { cityId: some('310100'), pageSize: '99999999' };
  const page = await exchange(
    { state, what: 'the films showing in a city', path: '/newmovie/api/movie/movies', query, answer: films },
    () => showingFilms('310100'),
  );
  expect(page.list[0]?.wish).toBe(400058);
});

test('the films coming to a city', async () => {
  const query = { cityId: some('310100') };
  const page = await exchange(
    { state, what: 'the films coming to a city', path: '/newmovie/api/movie/coming_movies', query, answer: films },
    () => comingFilms('310100'),
  );
  expect(page.list).toHaveLength(1);
});

test('a film', async () => {
  const query = { movieId: some('1316') };
  const found = await exchange(
    { state, what: 'a film', path: '/newmovie/api/movie/movie_detail', query, answer: newmovie.says(filmDetail) },
    () => getFilm('1316'),
  );
  expect(found.workerList[0]?.actorName).toBe('苏清如');
});

test('a film of the ranking, in the format of the legacy source', async () => {
  const { movieId, movieCode, showSt, ...film } = filmDetail;
  const found = await exchange(
    {
      state,
      what: 'a film of the ranking',
      path: '/movie/route',
      form: { method: 'film.detail', movieid: some('1316') },
      answer: gateway.says({ film: { ...film, movieid: movieId, moviecode: movieCode, showst: showSt } }),
    },
    () => getLegacyFilm('1316'),
  );
  expect(found).toMatchObject({ movieId: '1316' });
});

test('an unknown film', async () => {
  const query = { movieId: 'nothing' };
  const answer = newmovie.denies('film_not_found');
  await exchange(
    { state: 'no session', what: 'an unknown film', path: '/newmovie/api/movie/movie_detail', query, answer },
    () => expect(getFilm('nothing')).rejects.toMatchObject({ kind: 'refused', error: 'film_not_found' }),
  );
});

test('a cinema of the new provider with its films and sessions', async () => {
  const query = { cinemaId: some('507211') };
  const answer = newmovie.says({
    cinema: {
      cinemaId: like('507211'),
      cinemaCode: like('31207211'),
      sourceId: like('1'),
      name: like('云幕影城'),
      address: like('建设路266号'),
      phone: like('0650-8253625'),
    },
    movies: eachLike(movie),
  });
  const found = await exchange(
    {
      state,
      what: 'a cinema of the new provider with its films and sessions',
      path: '/newmovie/api/movie/cinema_shows',
      query,
      answer,
    },
    () => newCinema('507211'),
  );
  expect(found.movies[0]?.shows[0]?.sessions[0]?.originPrice).toBe('45.20');
});

test('an unknown cinema of the new provider', async () => {
  const query = { cinemaId: 'nowhere' };
  const answer = newmovie.denies('cinema_not_found');
  await exchange(
    {
      state: 'no session',
      what: 'an unknown cinema of the new provider',
      path: '/newmovie/api/movie/cinema_shows',
      query,
      answer,
    },
    () => expect(newCinema('nowhere')).rejects.toMatchObject({ kind: 'refused', error: 'cinema_not_found' }),
  );
});
