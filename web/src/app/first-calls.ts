/**
 * A call that a screen makes as soon as it opens. The server puts its answer into the page, so that the app needs no
 * round trip for it. When the page is requested, the server replaces values in braces: `{query.id}` by a query value of
 * the address, `{city.id}` and `{city.legacyId}` by the ids of the first hot city in both sources. A call with an empty
 * field is left out.
 */
interface FirstCall {
  path: string;
  /** The fields exactly as the screen sends them. The app does not use an answer to other fields. */
  fields?: Record<string, string>;
  /** The screen makes the call only if each query name has one of these values. '' is an absent query value. */
  when?: Record<string, string[]>;
  /** Whether the answer contains the address of the first picture that the screen shows. */
  picture?: boolean;
  /**
   * Query names whose value selects the picture in the answer. The first name with a value counts. Without any, the
   * answer's first picture is used.
   */
  chosen?: string[];
  /** If one of these query names has a value, the screen does not show the picture. */
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
