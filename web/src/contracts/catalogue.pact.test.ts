import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, test } from 'vitest';
import { answered, rejected } from '../../test/pact';
import { gateway, main, newmovie } from '../../test/pact-shapes';
import * as sample from '../../test/samples';
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

const { eachLike } = MatchersV3;
const state = 'the catalogue';
const movieRoute = '/movie/route/Movie';

// These calls need no login.
beforeEach(() => session.logOut());

const cities = { list: eachLike(sample.shanghai) };

test(
  'all cities',
  answered(main, {
    state,
    path: `${movieRoute}/citylist`,
    form: { keyword: '' },
    data: cities,
    call: () => listCities(),
  }),
);

test('hot cities', answered(main, { state, path: `${movieRoute}/hotcity`, data: cities, call: () => hotCities() }));

test(
  'the cinemas of a city that show a film, near a place',
  answered(main, {
    state,
    path: `${movieRoute}/cinema`,
    form: { cityid: '310100', movieId: '1316', movieCode: '061173402520', lat: '31.23', lng: '121.47' },
    data: {
      city_num: 42,
      qu_list: eachLike({ id: '310101', name: '黄浦区', num: 12 }),
      yingyuan: eachLike(sample.legacyCinema),
    },
    call: () =>
      listCinemas({ cityid: '310100', movieId: '1316', movieCode: '061173402520', lat: '31.23', lng: '121.47' }),
  }),
);

test(
  'banners and tiles of the home page',
  answered(main, {
    state,
    path: `${movieRoute}/sylbt`,
    data: { banners: eachLike(sample.banner), kaquan_list1: eachLike(sample.tile), kaquan_list2: [] },
    call: () => homeContent(),
  }),
);

test(
  'banners of the cinema list',
  answered(main, {
    state,
    path: `${movieRoute}/yclbt`,
    data: { banners: eachLike(sample.banner), kaquan_list1: [], kaquan_list2: [] },
    call: () => cinemaBanners(),
  }),
);

test(
  'the time of the shop',
  answered(main, {
    state,
    path: `${movieRoute}/gettime`,
    data: { time: 1795175925 },
    call: () => clockOffset(),
  }),
);

test(
  'the guides to buying and to viewing',
  answered(main, {
    state,
    path: `${movieRoute}/guide`,
    data: { goupiao: '<p>不支持退票</p>', guanying: '<p>请提前入场</p>' },
    call: () => getGuides(),
  }),
);

test(
  'the hot films of a city',
  answered(gateway, {
    state,
    path: '/movie/route',
    form: { method: 'film.hot', cityid: '310100', pageNo: '1', pageSize: '99999999' },
    data: { total: 50, filmList: eachLike(sample.legacyFilm) },
    call: () => hotFilms('310100'),
  }),
);

test(
  'the stage projects of a city',
  answered(gateway, {
    state,
    path: '/movie/route',
    form: { method: 'drama.list', cityid: '310100', pageNo: '1', pageSize: '25' },
    data: { total: 18, projectList: eachLike(sample.drama) },
    call: () => listDramas('310100'),
  }),
);

test(
  'a legacy cinema with its films',
  answered(gateway, {
    state,
    path: '/movie/route',
    form: { method: 'cinema.detail', cinemaid: '17213' },
    data: { cinema: sample.gatewayCinema, filmList: eachLike(sample.legacyFilm) },
    call: () => legacyCinema('17213'),
  }),
);

test(
  'an unknown legacy cinema',
  rejected(gateway, 'cinema_not_found', {
    state: 'no session',
    path: '/movie/route',
    form: { method: 'cinema.detail', cinemaid: 'nowhere' },
    call: () => legacyCinema('nowhere'),
  }),
);

test(
  'the showings of a film at a legacy cinema',
  answered(gateway, {
    state,
    path: '/movie/route',
    form: { method: 'opi.list.v2', cinemaid: '17213', movieid: '1316' },
    data: { dates: eachLike('2026-11-21'), opiList: eachLike(sample.showing) },
    call: () => legacyShowings('17213', '1316'),
  }),
);

test(
  'the films showing in a city',
  answered(newmovie, {
    state,
    path: '/newmovie/api/movie/movies',
    query: { cityId: '310100', pageSize: '99999999' },
    data: { total: 41, list: eachLike(sample.film) },
    call: () => showingFilms('310100'),
  }),
);

test(
  'the films coming to a city',
  answered(newmovie, {
    state,
    path: '/newmovie/api/movie/coming_movies',
    query: { cityId: '310100' },
    data: { total: 41, list: eachLike(sample.upcoming) },
    call: () => comingFilms('310100'),
  }),
);

test(
  'a film',
  answered(newmovie, {
    state,
    path: '/newmovie/api/movie/movie_detail',
    query: { movieId: '1316' },
    data: sample.filmDetail,
    call: () => getFilm('1316'),
  }),
);

test(
  'a film of the ranking, in the format of the legacy source',
  answered(gateway, {
    state,
    path: '/movie/route',
    form: { method: 'film.detail', movieid: '1316' },
    data: { film: sample.legacyFilmDetail },
    call: () => getLegacyFilm('1316'),
  }),
);

test(
  'an unknown film',
  rejected(newmovie, 'film_not_found', {
    state: 'no session',
    path: '/newmovie/api/movie/movie_detail',
    query: { movieId: 'nothing' },
    call: () => getFilm('nothing'),
  }),
);

test(
  'a cinema of the new provider with its films and sessions',
  answered(newmovie, {
    state,
    path: '/newmovie/api/movie/cinema_shows',
    query: { cinemaId: '507211' },
    data: { cinema: sample.newMovieCinema, movies: eachLike(sample.movie) },
    call: () => newCinema('507211'),
  }),
);
