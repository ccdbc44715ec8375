import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import purifier from 'dompurify';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../../test/render';
import { server } from '../../../test/server';
import { shop } from '../../../test/shop';
import { type Answer, main, post } from '../../../test/wire';
import PrivacyScreen from './privacy-screen';
import RulesScreen from './rules-screen';
import VersionScreen from './version-screen';

beforeEach(() => server.use(...shop));

const answerPolicy = (content: (id: string) => string) =>
  server.use(post('/Login/single', ({ id = '' }) => main.ok({ title: '', content: content(id) })));

test('/yinsizhengce shows the privacy policy, which is text 1', async () => {
  answerPolicy((id) => `<p>第${id}篇</p>`);
  renderScreen(<PrivacyScreen />, '/yinsizhengce');
  expect(await screen.findByText('第1篇')).toBeVisible();
  expect(screen.getByRole('heading', { name: '隐私政策' })).toBeVisible();
});

test('/useexplain shows the usage rules, which are text 2', async () => {
  answerPolicy((id) => `<p>第${id}篇</p>`);
  renderScreen(<RulesScreen />, '/useexplain');
  expect(await screen.findByText('第2篇')).toBeVisible();
  expect(screen.getByRole('heading', { name: '使用说明' })).toBeVisible();
});

test('scripts, handlers and frames in a text never reach the page', async () => {
  answerPolicy(
    () =>
      '<p onclick="boom()">安全</p><script>boom()</script><iframe src="https://evil.test"></iframe><a href="javascript:boom()">链接</a>',
  );
  const { container } = renderScreen(<RulesScreen />, '/useexplain');
  expect(await screen.findByText('安全')).not.toHaveAttribute('onclick');
  expect(container.querySelector('script, iframe')).toBeNull();
  expect(screen.getByText('链接')).not.toHaveAttribute('href');
});

test("headings of a text follow the page's own without a gap", async () => {
  answerPolicy(() => '<h3>一、总则</h3><p>正文</p>');
  renderScreen(<RulesScreen />, '/useexplain');
  expect(await screen.findByRole('heading', { name: '一、总则', level: 2 })).toBeVisible();
});

test('a text that fails to load can be loaded again', async () => {
  let fails = true;
  server.use(
    post('/Login/single', () =>
      fails ? new Response('', { status: 500 }) : main.ok({ title: '', content: '<p>正文</p>' }),
    ),
  );
  const user = userEvent.setup();
  renderScreen(<RulesScreen />, '/useexplain');
  expect(await screen.findByText('请求失败')).toBeVisible();
  fails = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByText('正文')).toBeVisible();
});

const answerGuides = (answer: () => Answer<'/movie/route/Movie/guide'>) =>
  server.use(post('/movie/route/Movie/guide', answer));

test('the rules are followed by the guides to buying and to viewing', async () => {
  answerGuides(() => main.ok({ goupiao: '<h2>锁座</h2><p>最多四个座位</p>', guanying: '<p>请提前入场</p>' }));
  renderScreen(<RulesScreen />, '/useexplain');
  const buying = await screen.findByRole('region', { name: '购票指南' });
  expect(within(buying).getByRole('heading', { name: '购票指南', level: 2 })).toBeVisible();
  expect(within(buying).getByRole('heading', { name: '锁座', level: 3 })).toBeVisible();
  expect(within(buying).getByText('最多四个座位')).toBeVisible();
  const viewing = await screen.findByRole('region', { name: '观影指南' });
  expect(within(viewing).getByText('请提前入场')).toBeVisible();
  const rules = screen.getByText('正文');
  expect(rules.compareDocumentPosition(buying)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(buying.compareDocumentPosition(viewing)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('a guide is sanitized, and one without a text is not shown', async () => {
  answerGuides(() =>
    main.ok({
      goupiao: '<p onclick="boom()">安全</p><script>boom()</script><img src="x" onerror="boom()">',
      guanying: '',
    }),
  );
  const { container } = renderScreen(<RulesScreen />, '/useexplain');
  expect(await screen.findByText('安全')).not.toHaveAttribute('onclick');
  expect(container.querySelector('script, [onerror]')).toBeNull();
  expect(screen.queryByText('观影指南')).toBeNull();
});

test('guides that fail do not hide the rules, and can be loaded again', async () => {
  let fails = true;
  answerGuides(() =>
    fails
      ? main.reject('service_unavailable', '指南暂不可用')
      : main.ok({ goupiao: '<p>不支持退票</p>', guanying: '' }),
  );
  const user = userEvent.setup();
  renderScreen(<RulesScreen />, '/useexplain');
  expect(await screen.findByText('指南暂不可用')).toBeVisible();
  expect(screen.getByText('正文')).toBeVisible();
  fails = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByText('不支持退票')).toBeVisible();
  expect(screen.queryByText('指南暂不可用')).toBeNull();
});

test('rules that fail do not hide the guides', async () => {
  server.use(post('/Login/single', () => main.reject('service_unavailable', '规则暂不可用')));
  renderScreen(<RulesScreen />, '/useexplain');
  expect(await screen.findByText('规则暂不可用')).toBeVisible();
  expect(await screen.findByText('不支持退票')).toBeVisible();
});

test('the privacy policy has no guides below it', async () => {
  let asked = false;
  answerGuides(() => {
    asked = true;
    return main.ok({ goupiao: '<p>不支持退票</p>', guanying: '' });
  });
  renderScreen(<PrivacyScreen />, '/yinsizhengce');
  expect(await screen.findByText('正文')).toBeVisible();
  expect(screen.queryByText('购票指南')).toBeNull();
  expect(asked).toBe(false);
});

test('/helloWord has a way back in its bar', async () => {
  window.history.replaceState({ idx: 1 }, '', '/');
  const { where } = renderScreen(<VersionScreen />, '/helloWord');
  await userEvent.click(screen.getByRole('button', { name: '返回' }));
  await waitFor(() => expect(where()).toBe('/before'));
});

test('/helloWord says which build runs and leads home', () => {
  renderScreen(<VersionScreen />, '/helloWord');
  expect(screen.getByText(/当前版本/)).toBeVisible();
  expect(screen.getByRole('link', { name: '回到首页' })).toHaveAttribute('href', '/index');
});

test('a text that cannot be sanitized is not shown: the page shows an error with a retry', async () => {
  answerPolicy(() => '<p>正文</p>');
  const clean = vi.spyOn(purifier, 'sanitize').mockImplementation(() => {
    throw new TypeError('not loaded');
  });
  renderScreen(<PrivacyScreen />, '/yinsizhengce');
  expect(await screen.findByRole('alert')).toBeVisible();
  clean.mockRestore();
  await userEvent.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByText('正文')).toBeVisible();
});
