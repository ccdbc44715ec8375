import { useEffect, useRef } from 'react';
import { useBack } from '../../api/use-back';
import { toast } from '../../ui/toast';

const stay = 3700;

/** A cinema of the legacy source that shows nothing says 暂无排期 and leads back after 3.7 s. */
export function useNoShowings(none: boolean): void {
  const back = useBack();
  const leave = useRef(back);
  useEffect(() => {
    leave.current = back;
  });
  useEffect(() => {
    if (!none) return;
    toast('暂无排期', stay);
    const timer = setTimeout(() => leave.current(), stay);
    return () => clearTimeout(timer);
  }, [none]);
}
