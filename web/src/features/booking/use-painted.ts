import { startTransition, useEffect, useState } from 'react';
import { afterPaint } from './after-paint';

/** Whether the screen has been painted for the first time: what nobody sees waits until then. */
export function usePainted(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => afterPaint(() => startTransition(() => setPainted(true))), []);
  return painted;
}
