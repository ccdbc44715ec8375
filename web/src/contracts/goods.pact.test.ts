import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, expect, test } from 'vitest';
import { exchange, refused, some } from '../../test/pact';
import { amount, category, content, goods, main } from '../../test/pact-shapes';
import { listCategories } from '../features/goods/list-categories';
import { listGoods } from '../features/goods/list-goods';
import { memberHome } from '../features/goods/member-home';
import { showGoods } from '../features/goods/show-goods';
import { session } from '../wire/session';

const { eachLike, integer, like, regex } = MatchersV3;

beforeEach(() => session.logIn('tok'));

const shelves = 'goods on the shelves';
const page = main.says({ list: eachLike(goods), total: integer(1) });

test('the member home', async () => {
  const home = await exchange(
    {
      state: shelves,
      what: 'the member home',
      path: '/Kaquan/index',
      form: {},
      answer: main.says({
        classify: eachLike(category),
        lbt: content.banners,
        yinyue: eachLike(goods),
        yuedu: eachLike(goods),
        qita: eachLike(goods),
      }),
    },
    () => memberHome(),
  );
  expect(home.yinyue[0]?.title).toBe('青鸟音乐豪华会员');
});

test('the categories', async () => {
  const { list } = await exchange(
    {
      state: shelves,
      what: 'the categories of goods',
      path: '/Kaquan/classify',
      form: {},
      answer: main.says({ list: eachLike(category) }),
    },
    () => listCategories(),
  );
  expect(list).toHaveLength(1);
});

test.each([
  ['the goods of a category', '/Kaquan/lists', { fid: some('3'), flag: '0', pagesize: '100' }, 'category'],
  ['the goods that recharge something', '/Kaquan/lists', { flag: '2', pagesize: '100' }, 'recharge'],
  ['music memberships', '/Kaquan/music', { pagesize: '100' }, 'music'],
  ['reading memberships', '/Kaquan/read', { flag: '1', pagesize: '500' }, 'reading'],
] as const)('%s come by the page', async (what, path, form, kind) => {
  const shelf = kind === 'category' ? { kind, fid: '3' } : kind === 'reading' ? { kind, flag: 1 as const } : { kind };
  const found = await exchange({ state: shelves, what, path, form: { ...form, pageno: '1' }, answer: page }, () =>
    listGoods(shelf, 1),
  );
  expect(found.list).toHaveLength(1);
});

test('goods with their specifications', async () => {
  const shown = await exchange(
    {
      state: shelves,
      what: 'goods with their specifications',
      path: '/Kaquan/show',
      form: { id: some('1') },
      answer: main.says({
        show: {
          ...goods,
          gueige: regex('.+', '月卡'),
          content: regex('<.+', '<p>…</p>'),
          zxkf: like(''),
          account: like(''),
        },
        list: eachLike({
          id: like('1'),
          sku: regex('.+', '月卡'),
          gueige: regex('.+', '月卡'),
          img: like('/art/goods/melody.svg'),
          price: amount('15.00'),
          stock: integer(60),
          days: integer(31),
        }),
      }),
    },
    () => showGoods('1'),
  );
  expect(shown.list[0]?.stock).toBe(60);
});

test('goods that are not there', async () => {
  await refused(main, 'goods_not_found', {
    state: 'a logged-in buyer',
    what: 'goods that are not there',
    path: '/Kaquan/show',
    form: { id: '999999' },
    call: () => showGoods('999999'),
  });
});
