/**
 * A call that a screen makes as soon as it opens. The server puts its answer into the page, so that the app needs no
 * round trip for it. The server replaces a value in braces when the page is requested: `{query.id}` is a query value of
 * the address, `{city.id}` and `{city.legacyId}` are the ids of the first hot city in both sources. The server leaves
 * out a call if one of its fields stays empty.
 */
interface FirstCall {
  path: string;
  /** The fields exactly as the screen sends them. The app does not use an answer to other fields. */
  fields?: Record<string, string>;
  /** The screen makes the call only if each query name has one of these values. '' is an absent query value. */
  when?: Record<string, string[]>;
  /** Whether the answer names the first picture that the screen shows. */
  picture?: boolean;
  /**
   * Query values that tell which of the answer's pictures comes first: the first of them that is not empty. Without
   * one it is the first picture of the answer.
   */
  chosen?: string[];
  /** Query names with whose values the screen does not show the picture. */
  hiddenBy?: string[];
}

/** The page size that requests all films. */
const allFilms = '99999999';

const hotCities: FirstCall = { path: '/movie/route/Movie/hotcity' };
const hotFilms: FirstCall = {
  path: '/movie/route',
  fields: { method: 'film.hot', cityid: '{city.legacyId}', pageNo: '1', pageSize: allFilms },
};
const goodsDetail: FirstCall[] = [{ path: '/Kaquan/show', fields: { id: '{query.id}' }, picture: true }];

/**
 * The first calls of each route, by its path. The build writes them into web/dist/routes.json. routes.test.tsx compares
 * them with the calls of the screens. Calls that the server answers without a provider come first.
 */
export const firstCalls: Record<string, FirstCall[]> = {
  '/index': [
    { path: '/movie/route/Movie/sylbt', picture: true, hiddenBy: ['q'] },
    hotCities,
    hotFilms,
    { path: '/newmovie/api/movie/movies', fields: { cityId: '{city.id}', pageSize: allFilms } },
  ],
  '/multiplex': [
    { path: '/movie/route/Movie/yclbt', picture: true, hiddenBy: ['movieId'] },
    hotCities,
    { path: '/movie/route/Movie/cinema', fields: { cityid: '{city.id}' }, when: { movieId: [''], movieCode: [''] } },
  ],
  '/hotlist': [hotCities, { ...hotFilms, when: { cityid: ['', '{city.legacyId}'] }, picture: true }],
  '/filmdetail': [{ path: '/newmovie/api/movie/movie_detail', fields: { movieId: '{query.id}' }, picture: true }],
  '/multiplexDetail': [
    {
      path: '/movie/route',
      fields: { method: 'cinema.detail', cinemaid: '{query.id}' },
      picture: true,
      chosen: ['{query.moveName}'],
    },
  ],
  '/multiplexNewDetail': [
    {
      path: '/newmovie/api/movie/cinema_shows',
      fields: { cinemaId: '{query.id}' },
      picture: true,
      chosen: ['{query.movieCode}', '{query.moveId}'],
    },
  ],
  '/memberindex': [{ path: '/Kaquan/index', picture: true }],
  '/musicmember': [{ path: '/Kaquan/music', fields: { pageno: '1', pagesize: '100' } }],
  '/readmember': [{ path: '/Kaquan/read', fields: { flag: '1', pageno: '1', pagesize: '500' } }],
  '/movelist': [{ path: '/Kaquan/lists', fields: { flag: '2', pageno: '1', pagesize: '100' } }],
  '/memberClass': [
    { path: '/Kaquan/classify' },
    { path: '/Kaquan/lists', fields: { fid: '{query.id}', flag: '0', pageno: '1', pagesize: '100' } },
  ],
  '/couponsDetail': goodsDetail,
  '/couponsdetail': goodsDetail,
  '/login': [{ path: '/Login/index' }],
  '/yinsizhengce': [{ path: '/Login/single', fields: { id: '1' } }],
  '/useexplain': [{ path: '/Login/single', fields: { id: '2' } }, { path: '/movie/route/Movie/guide' }],
};
