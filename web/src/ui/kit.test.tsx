import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type FormEvent, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { cancelDialogs } from '../../test/dialogs';
import { Button } from './button';
import { Checkbox } from './checkbox';
import { CountDown } from './count-down';
import { confirm } from './dialog';
import { ErrorState } from './empty';
import { Field } from './field';
import { iconNames } from './icon';
import sprite from './icons.svg?raw';
import { NavBar } from './nav-bar';
import { NumberKeyboard } from './number-keyboard';
import { Overlays } from './overlays';
import { PasswordInput } from './password-input';
import { Picker } from './picker';
import { Picture } from './picture';
import { Popup } from './popup';
import { Price } from './price';
import { Search } from './search';
import { Tabs } from './tabs';
import { toast } from './toast';

afterEach(() => {
  act(() => {
    toast.clear();
    cancelDialogs();
  });
});

test('inside the messaging app the bar leaves title and arrow to the client, and keeps what the client lacks', () => {
  document.documentElement.classList.add('in-app');
  try {
    const back = vi.fn();
    window.history.replaceState({ idx: 1 }, '');
    const { rerender } = render(
      <NavBar title="我的福利卡" onBack={back} right={<button type="button">绑定</button>} />,
    );
    expect(document.title).toBe('我的福利卡');
    expect(screen.getByRole('heading', { level: 1, name: '我的福利卡' })).toHaveClass('mq-hidden');
    expect(screen.getByRole('button', { name: '绑定' })).toBeVisible();
    expect(screen.queryByRole('button', { name: '返回' })).toBeNull();
    // On the first page of a visit the messaging app's arrow would close the browser, so the bar has a back button.
    window.history.replaceState({ idx: 0 }, '');
    rerender(<NavBar title="影片详情" onBack={back} />);
    expect(document.title).toBe('影片详情');
    screen.getByRole('button', { name: '返回' }).click();
    expect(back).toHaveBeenCalledOnce();
  } finally {
    document.documentElement.classList.remove('in-app');
  }
});

test('Icon: each name is a symbol of the sprite, and each symbol has a name', () => {
  const symbols = [...sprite.matchAll(/<symbol id="([^"]+)" viewBox="0 0 24 24"/g)].map(([, id]) => id);
  expect(symbols).toEqual([...iconNames]);
});

test('Button: a promise keeps it busy, and a second click in between does nothing', async () => {
  let done = () => {};
  const click = vi.fn(() => new Promise<void>((resolve) => (done = resolve)));
  render(<Button onClick={click}>支付</Button>);
  const button = screen.getByRole('button');
  button.focus();
  fireEvent.click(button);
  fireEvent.click(button);
  expect(click).toHaveBeenCalledOnce();
  expect(button).toHaveAttribute('aria-disabled', 'true');
  expect(button, 'the focus stays on a busy button').toHaveFocus();
  expect(button, 'a natively disabled button would lose it').toBeEnabled();
  await act(async () => done());
  expect(button).not.toHaveAttribute('aria-disabled');
  fireEvent.click(button);
  expect(click).toHaveBeenCalledTimes(2);
});

test('Button: a press of a busy one does not submit its form', () => {
  const submit = vi.fn((event: FormEvent) => event.preventDefault());
  render(
    <form onSubmit={submit}>
      <Button type="submit" loading>
        登录
      </Button>
    </form>,
  );
  fireEvent.click(screen.getByRole('button'));
  expect(submit).not.toHaveBeenCalled();
});

test('Dialog: confirm answers true or false, one after the other', async () => {
  render(<Overlays />);
  const first = confirm({ title: '是否退出？' });
  const second = confirm({ title: '第二个', confirmText: '好的' });
  const dialog = await screen.findByRole('alertdialog', { name: '是否退出？' });
  await userEvent.click(within(dialog).getByRole('button', { name: '确定' }));
  await expect(first).resolves.toBe(true);
  await userEvent.click(
    within(await screen.findByRole('alertdialog', { name: '第二个' })).getByRole('button', { name: '取消' }),
  );
  await expect(second).resolves.toBe(false);
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
});

test('Dialog: Escape is 取消, unless one of the two must be chosen', async () => {
  render(<Overlays />);
  const free = confirm({ title: '可以取消' });
  fireEvent(await screen.findByRole('alertdialog'), new Event('cancel', { cancelable: true }));
  await expect(free).resolves.toBe(false);

  const bound = confirm({ title: '必须选择', dismissable: false });
  const dialog = await screen.findByRole('alertdialog', { name: '必须选择' });
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  expect(screen.getByText('必须选择')).toBeInTheDocument();
  await userEvent.click(within(dialog).getByRole('button', { name: '确定' }));
  await expect(bound).resolves.toBe(true);
});

test('Toast: shows for two seconds, and a new one replaces the old', () => {
  vi.useFakeTimers();
  render(<Overlays />);
  act(() => toast('第一条'));
  expect(screen.getByRole('status')).toHaveTextContent('第一条');
  act(() => toast.fail('第二条'));
  expect(screen.getByRole('status')).toHaveTextContent(/^第二条$/);
  act(() => void vi.advanceTimersByTime(2600));
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  act(() => toast(undefined));
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

test.each([
  ['keeps its place if it does not cover what was pressed', 400, ''],
  ['moves below what was pressed if it would cover it', 120, '176px'],
  ['moves above it if there is no room below', 720, '636px'],
])('Toast: %s', (_, top, wanted) => {
  vi.spyOn(window, 'innerHeight', 'get').mockReturnValue(768);
  render(
    <>
      <button type="button">登录</button>
      <Overlays />
    </>,
  );
  const button = screen.getByRole('button');
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    if (this === button) return new DOMRect(20, top, 300, 44);
    return new DOMRect(100, top > 500 ? 700 : 110, 100, 72);
  });
  fireEvent.click(button);
  act(() => toast('请阅读并勾选用户协议'));
  expect(screen.getByRole('status').style.getPropertyValue('--toast-top')).toBe(wanted);
});

test('Popup: closes by its cross and the backdrop, stays where it may not be closed', async () => {
  const close = vi.fn();
  const { rerender } = render(
    <Popup open onClose={close} title="标题">
      内容
    </Popup>,
  );
  await userEvent.click(screen.getByRole('button', { name: '关闭' }));
  const later = performance.now() + 1000;
  vi.spyOn(performance, 'now').mockReturnValue(later);
  fireEvent.click(screen.getByRole('dialog', { name: '标题' }), { clientX: 5, clientY: -50 });
  expect(close).toHaveBeenCalledTimes(2);
  rerender(
    <Popup open title="标题">
      内容
    </Popup>,
  );
  expect(screen.queryByRole('button', { name: '关闭' })).not.toBeInTheDocument();
});

test('Popup: the second click of the double click that opened it does not close it', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
  const close = vi.fn();
  render(
    <Popup open onClose={close} label="须知">
      内容
    </Popup>,
  );
  const outside = { clientX: 5, clientY: -50 };
  now.mockReturnValue(1250);
  fireEvent.click(screen.getByRole('dialog'), outside);
  expect(close).not.toHaveBeenCalled();
  now.mockReturnValue(1500);
  fireEvent.click(screen.getByRole('dialog'), outside);
  expect(close).toHaveBeenCalledOnce();
});

test('Popup: repeats a message, because the page behind it is inert for screen readers', () => {
  render(
    <Popup open label="须知">
      内容
    </Popup>,
  );
  const said = within(screen.getByRole('dialog')).getByRole('status');
  expect(said).toBeEmptyDOMElement();
  act(() => toast('锁座成功'));
  expect(said).toHaveTextContent('锁座成功');
});

test('Popup: of two open ones only the upper dims what is behind', () => {
  const popups = (upper: boolean) => (
    <>
      <Popup open label="下">
        甲
      </Popup>
      <Popup open={upper} label="上">
        乙
      </Popup>
    </>
  );
  const { rerender } = render(popups(true));
  const lower = screen.getByRole('dialog', { name: '下' });
  expect(lower).toHaveClass('is-below');
  expect(screen.getByRole('dialog', { name: '上' })).not.toHaveClass('is-below');
  rerender(popups(false));
  expect(lower).not.toHaveClass('is-below');
});

test('Popup: its content leaves after it closed', async () => {
  const { rerender } = render(
    <Popup open label="甲">
      内容
    </Popup>,
  );
  rerender(
    <Popup open={false} label="甲">
      内容
    </Popup>,
  );
  await waitFor(() => expect(screen.queryByText('内容')).not.toBeInTheDocument());
});

test('Popup: Escape closes the upper one of two, although it is inside the other', () => {
  const [outer, inner] = [vi.fn(), vi.fn()];
  render(
    <Popup open title="外" onClose={outer}>
      <Popup open title="内" onClose={inner}>
        内容
      </Popup>
    </Popup>,
  );
  fireEvent(screen.getByRole('dialog', { name: '内' }), new Event('cancel', { cancelable: true }));
  expect(inner).toHaveBeenCalledOnce();
  expect(outer).not.toHaveBeenCalled();
});

function Password() {
  const [value, setValue] = useState('');
  return (
    <>
      <PasswordInput label="支付密码" value={value} onChange={setValue} />
      <NumberKeyboard value={value} onChange={setValue} />
      <output>{value}</output>
    </>
  );
}

test('PasswordInput: takes six digits and nothing else', async () => {
  render(<Password />);
  await userEvent.type(screen.getByLabelText('支付密码'), '12a34 5');
  expect(screen.getByRole('status')).toHaveTextContent('12345');
  await userEvent.type(screen.getByLabelText('支付密码'), '67');
  expect(screen.getByRole('status')).toHaveTextContent('123456');
});

test('NumberKeyboard: writes, deletes and stops at its length', async () => {
  render(<Password />);
  for (const key of ['1', '2', '3', '4', '5', '6', '7'])
    await userEvent.click(screen.getByRole('button', { name: key }));
  expect(screen.getByRole('status')).toHaveTextContent('123456');
  await userEvent.click(screen.getByRole('button', { name: '删除一位' }));
  expect(screen.getByRole('status')).toHaveTextContent(/^12345$/);
});

test('CountDown: counts the clock of the server, warns, and ends once', () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const end = vi.fn();
  // The phone's clock is a minute slow.
  render(<CountDown until={1_000_000 + 60_000 + 125_000} offset={60_000} onEnd={end} />);
  expect(screen.getByRole('timer')).toHaveTextContent('02:05');
  act(() => void vi.advanceTimersByTime(6_000));
  expect(screen.getByRole('timer')).toHaveTextContent('01:59');
  expect(screen.getByRole('timer')).toHaveClass('mq-count--soon');
  act(() => void vi.advanceTimersByTime(200_000));
  expect(screen.getByRole('timer')).toHaveTextContent('00:00');
  expect(end).toHaveBeenCalledOnce();
});

test('CountDown: announces the time left at few marks and at the end', () => {
  vi.useFakeTimers({ now: 0 });
  render(<CountDown until={600_000} spoken="支付时间" />);
  const said: string[] = [];
  const listen = new MutationObserver(() => said.push(screen.getByRole('status').textContent));
  listen.observe(screen.getByRole('status'), { childList: true, characterData: true, subtree: true });
  for (let second = 0; second < 605; second += 1) {
    act(() => void vi.advanceTimersByTime(1000));
    for (const _ of listen.takeRecords()) said.push(screen.getByRole('status').textContent);
  }
  expect(said).toEqual([
    '支付时间不足 5 分钟',
    '支付时间不足 2 分钟',
    '支付时间不足 1 分钟',
    '支付时间不足 30 秒',
    '支付时间已结束',
  ]);
});

test('CountDown: a phone that slept shows the truth when it wakes', () => {
  vi.useFakeTimers({ now: 0 });
  const end = vi.fn();
  render(<CountDown until={60_000} onEnd={end} />);
  vi.setSystemTime(61_000);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(end).toHaveBeenCalledOnce();
});

test('Tabs: the arrow keys move between them and around', async () => {
  function Page() {
    const [tab, setTab] = useState(0);
    return (
      <Tabs
        label="订单"
        items={[
          { key: 0, title: '全部' },
          { key: 1, title: '待付款' },
          { key: 2, title: '待使用' },
        ]}
        active={tab}
        onChange={setTab}
      >
        第{tab}页
      </Tabs>
    );
  }
  render(<Page />);
  await userEvent.click(screen.getByRole('tab', { name: '待付款' }));
  expect(screen.getByRole('tabpanel', { name: '待付款' })).toHaveTextContent('第1页');
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  expect(screen.getByRole('tab', { name: '全部' })).toHaveFocus();
  expect(screen.getByRole('tabpanel')).toHaveTextContent('第0页');
  await userEvent.keyboard('{End}');
  expect(screen.getByRole('tab', { name: '待使用' })).toHaveAttribute('aria-selected', 'true');
});

test('Field: a message belongs to its field', () => {
  const { rerender } = render(<Field label="手机号" value="1" onChange={() => {}} />);
  expect(screen.getByLabelText('手机号')).toBeValid();
  rerender(<Field label="手机号" value="1" onChange={() => {}} error="请输入正确手机号" />);
  expect(screen.getByLabelText('手机号')).toBeInvalid();
  expect(screen.getByLabelText('手机号')).toHaveAccessibleDescription('请输入正确手机号');
});

test('Search: types, submits and empties', async () => {
  const search = vi.fn();
  function Page() {
    const [value, setValue] = useState('');
    return <Search value={value} onChange={setValue} placeholder="搜索影片" onSearch={search} />;
  }
  render(<Page />);
  await userEvent.type(screen.getByRole('searchbox', { name: '搜索影片' }), '长安{Enter}');
  expect(search).toHaveBeenCalledWith('长安');
  await userEvent.click(screen.getByRole('button', { name: '清空搜索' }));
  expect(screen.getByRole('searchbox')).toHaveValue('');
});

test('Checkbox: its text is its label', async () => {
  const change = vi.fn();
  render(
    <Checkbox checked={false} onChange={change}>
      我已阅读
    </Checkbox>,
  );
  await userEvent.click(screen.getByLabelText('我已阅读'));
  expect(change).toHaveBeenCalledWith(true);
});

test('Picker: choosing closes, the present choice too', async () => {
  const pick = vi.fn();
  const close = vi.fn();
  const options = [
    { key: 'a', text: '全部', note: '12' },
    { key: 'b', text: '浦东新区', note: '4' },
  ];
  render(<Picker open title="选择区域" options={options} value="a" onPick={pick} onClose={close} />);
  await userEvent.click(screen.getByRole('radio', { name: /浦东新区/ }));
  expect(pick).toHaveBeenCalledExactlyOnceWith('b');
  expect(close).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByText('全部'));
  expect(pick).toHaveBeenCalledOnce();
  expect(close).toHaveBeenCalledTimes(2);
});

test('Picture: one that does not come leaves its name', () => {
  render(<Picture src="/gone.svg" alt="长安夜未央海报" />);
  fireEvent.error(screen.getByRole('img'));
  expect(screen.getByRole('img', { name: '长安夜未央海报' }).tagName).toBe('svg');
});

test('Price: read in one piece', () => {
  const { container } = render(
    <>
      <Price amount="42.90" />
      <Price amount="20.00" unit="points" />
    </>,
  );
  expect(container).toHaveTextContent('¥42.9020.00 点');
});

test('ErrorState: offers to try again', async () => {
  const retry = vi.fn();
  render(<ErrorState message="请求失败" onRetry={retry} />);
  expect(screen.getByRole('alert')).toHaveTextContent('请求失败');
  await userEvent.click(screen.getByRole('button', { name: '重试' }));
  expect(retry).toHaveBeenCalledOnce();
});
