import { expect, test, vi } from 'vitest';
import { registerServiceWorker } from './register-service-worker';

class FakeWorker extends EventTarget {
  state = 'installing';
  setState(state: string) {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

test('a failed registration is repeated, up to 4 attempts, until the worker has installed', async () => {
  vi.useFakeTimers();
  const worker = new FakeWorker();
  const register = vi.fn(
    (_: string): Promise<{ installing: FakeWorker | null }> => Promise.reject(new Error('no network')),
  );
  vi.stubGlobal('navigator', { serviceWorker: { register } });
  registerServiceWorker();
  await vi.advanceTimersByTimeAsync(4000);
  expect(register).toHaveBeenCalledTimes(1);
  register.mockResolvedValue({ installing: worker });
  await vi.advanceTimersByTimeAsync(1000);
  expect(register).toHaveBeenCalledTimes(2);
  worker.setState('redundant');
  await vi.advanceTimersByTimeAsync(5000);
  expect(register).toHaveBeenCalledTimes(3);
  worker.setState('installed');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(register).toHaveBeenCalledTimes(3);

  register.mockRejectedValue(new Error('no network'));
  registerServiceWorker();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(register).toHaveBeenCalledTimes(3 + 4);
});
