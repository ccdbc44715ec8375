import { allFilms } from '../shop/all-films.ts';
import type { operations } from '../wire/generated/shop';

/**
 * A call that a screen makes as soon as it opens. The server puts its answer into the page, so that the app needs no
 * round trip for it.
 */
interface FirstCall {
  /** The operation in contracts/shop.openapi.json. */
  call: keyof operations;
  /**
   * The fields exactly as the screen sends them: the app does not use an answer to other fields. The server replaces
   * `{query.id}` by the value `id` in the query of the address, `{city.id}` by the id of the first hot city, and
   * `{city.legacyId}` by the id of that city at the legacy gateway. It does not make the call if a field is empty.
   */
  fields?: Record<string, string>;
  /** The first picture of the screen. The placeholder of the page shows it before the app has started. */
  picture?: {
    /** The path of the picture's address in the data of the answer, such as `banners.0.img`. */
    at: string;
    /**
     * How the placeholder shows the picture (ui/skeleton.css): `banner` and `wide` with the ratios of these names
     * (ui/theme.css), `stage` as a dark blurred background at the top of the page, `tint` as a pale one.
     */
    shape: 'banner' | 'wide' | 'stage' | 'tint';
  };
}

const goodsDetail: FirstCall[] = [
  { call: 'kaquanShow', fields: { id: '{query.id}' }, picture: { at: 'show.img', shape: 'tint' } },
];

/**
 * The first calls of each route, by its path. The build writes them into web/dist/routes.json for the server; the app
 * itself does not need them. routes.test.tsx compares them with the calls of the screens. Calls that the server answers
 * without a provider come first. The seat maps have no first calls: the server sends every visitor the same page, but a
 * seat map differs, because it shows buyers the seats that they have locked themselves as free.
 */
export const firstCalls: Record<string, readonly FirstCall[]> = {
  '/index': [
    { call: 'movieSylbt', picture: { at: 'banners.0.img', shape: 'banner' } },
    { call: 'movieHotcity' },
    {
      call: 'movieRoute',
      fields: { method: 'film.hot', cityid: '{city.legacyId}', pageNo: '1', pageSize: String(allFilms) },
    },
    { call: 'newmovieMovieMovies', fields: { cityId: '{city.id}', pageSize: String(allFilms) } },
  ],
  '/filmdetail': [
    { call: 'newmovieMovieMoviedetail', fields: { movieId: '{query.id}' }, picture: { at: 'img', shape: 'stage' } },
  ],
  '/multiplex': [
    { call: 'movieYclbt', picture: { at: 'banners.0.img', shape: 'banner' } },
    { call: 'movieHotcity' },
    { call: 'movieCinema', fields: { cityid: '{city.id}' } },
  ],
  '/multiplexDetail': [
    {
      call: 'movieRoute',
      fields: { method: 'cinema.detail', cinemaid: '{query.id}' },
      picture: { at: 'filmList.0.poster', shape: 'stage' },
    },
  ],
  '/multiplexNewDetail': [
    {
      call: 'newmovieMovieCinemashows',
      fields: { cinemaId: '{query.id}' },
      picture: { at: 'movies.0.posterUrl', shape: 'stage' },
    },
  ],
  '/memberindex': [{ call: 'kaquanIndex', picture: { at: 'lbt.0.img', shape: 'wide' } }],
  '/couponsDetail': goodsDetail,
  '/couponsdetail': goodsDetail,
};
