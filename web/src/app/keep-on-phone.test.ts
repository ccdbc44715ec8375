import { expect, test, vi } from 'vitest';
import { keepOnPhone } from './keep-on-phone';

class Worker extends EventTarget {
  state = 'installing';
  becomes(state: string) {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

test('a worker that could not be fetched or installed is tried again, a few times; one that is installed is not', async () => {
  vi.useFakeTimers();
  const worker = new Worker();
  const register = vi.fn(
    (_: string): Promise<{ installing: Worker | null }> => Promise.reject(new Error('no network')),
  );
  vi.stubGlobal('navigator', { serviceWorker: { register } });
  keepOnPhone();
  await vi.advanceTimersByTimeAsync(4000);
  expect(register).toHaveBeenCalledTimes(1);
  register.mockResolvedValue({ installing: worker });
  await vi.advanceTimersByTimeAsync(1000);
  expect(register).toHaveBeenCalledTimes(2);
  worker.becomes('redundant');
  await vi.advanceTimersByTimeAsync(5000);
  expect(register).toHaveBeenCalledTimes(3);
  worker.becomes('installed');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(register).toHaveBeenCalledTimes(3);

  register.mockRejectedValue(new Error('no network'));
  keepOnPhone();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(register).toHaveBeenCalledTimes(3 + 4);
});
