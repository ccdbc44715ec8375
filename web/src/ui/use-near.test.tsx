import { act, render, screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useNear } from './use-near';

function Page() {
  const [near, observe] = useNear();
  return <div ref={observe}>{near ? 'near' : 'far'}</div>;
}

test('an element is observed only after the pictures of the page are loaded', () => {
  let report = () => {};
  const observe = vi.fn();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: object[]) => void) {
        report = () => act(() => callback([{ isIntersecting: true }]));
      }
      observe = observe;
      disconnect() {}
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const state = vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
  render(<Page />);
  expect(observe).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('load'));
  expect(observe).toHaveBeenCalledOnce();
  report();
  expect(screen.getByText('near')).toBeVisible();
  state.mockRestore();
});
