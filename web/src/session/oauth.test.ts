import { expect, test } from 'vitest';
import { withoutOAuth } from './oauth';

const bare = 'https://shop.example/package?cardId=2';

test('an address gives up the code and the state, and keeps what is its own', () => {
  expect(withoutOAuth(`${bare}&code=c0de&state=st4te`)).toBe(bare);
  expect(withoutOAuth(`${bare}#records`)).toBe(`${bare}#records`);
});

test("the messaging app's fragment, which browsers carry over a redirect, goes too", () => {
  expect(withoutOAuth(`${bare}&code=c0de&state=st4te#wechat_redirect`)).toBe(bare);
});
