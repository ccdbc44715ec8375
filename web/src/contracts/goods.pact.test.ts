import { MatchersV3 } from '@pact-foundation/pact';
import { beforeEach, test } from 'vitest';
import { answered } from '../../test/pact';
import { main } from '../../test/pact-shapes';
import * as sample from '../../test/samples';
import { listCategories } from '../features/goods/list-categories';
import { listGoods, type Shelf } from '../features/goods/list-goods';
import { memberHome } from '../features/goods/member-home';
import { showGoods } from '../features/goods/show-goods';
import { session } from '../wire/session';

const { eachLike } = MatchersV3;
const state = 'goods on the shelves';
const goods = eachLike(sample.goods);

beforeEach(() => session.logIn('tok'));

test(
  'the member home',
  answered(main, {
    state,
    path: '/Kaquan/index',
    data: {
      classify: eachLike(sample.category),
      lbt: eachLike(sample.banner),
      yinyue: goods,
      yuedu: goods,
      qita: goods,
    },
    call: () => memberHome(),
  }),
);

test(
  'the categories of goods',
  answered(main, {
    state,
    path: '/Kaquan/classify',
    data: { list: eachLike(sample.category) },
    call: () => listCategories(),
  }),
);

const shelf = (path: string, form: Record<string, string>, shown: Shelf) =>
  answered(main, {
    state,
    path: `/Kaquan/${path}`,
    form: { ...form, pageno: '1' },
    data: { list: goods, total: 1 },
    call: () => listGoods(shown, 1),
  });
const category = { fid: '3', flag: '0', pagesize: '100' };
test('the goods of a category', shelf('lists', category, { kind: 'category', fid: '3' }));
test('the goods that recharge something', shelf('lists', { flag: '2', pagesize: '100' }, { kind: 'recharge' }));
test('music memberships', shelf('music', { pagesize: '100' }, { kind: 'music' }));
test('reading memberships', shelf('read', { flag: '1', pagesize: '500' }, { kind: 'reading', flag: 1 }));

test(
  'goods with their specifications',
  answered(main, {
    state,
    path: '/Kaquan/show',
    form: { id: '1' },
    data: { show: sample.goodsDetail, list: eachLike(sample.sku) },
    call: () => showGoods('1'),
  }),
);
