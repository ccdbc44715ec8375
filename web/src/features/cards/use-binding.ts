import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { cardsChanged } from '../../shop/invalidate';
import { useIsOnPage } from '../../shop/navigation';
import { type directBinding, paths } from '../../shop/paths';
import { rejectionMessage } from '../../shop/rejection';
import { toast } from '../../ui/toast';

const redirectDelay = 1000;

/**
 * Returns a function that binds a card with the given call. On success it shows 绑定成功 and goes back two pages, or only
 * one if the history state is `directBinding`. After a failure it returns the shop's message.
 */
export function useBinding(): (bind: () => Promise<unknown>) => Promise<string | undefined> {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const isOnPage = useIsOnPage();
  const { state } = useLocation();

  function backTwo() {
    const index: unknown = window.history.state?.idx;
    // If the visit began on this page or on the page before it, there are no two earlier pages of this app.
    if ((state as Partial<typeof directBinding> | null)?.direct) navigate(-1);
    else if (typeof index === 'number' && index < 2) navigate(paths.me(), { replace: true });
    else navigate(-2);
  }

  return async (bind) => {
    try {
      await bind();
    } catch (failure) {
      return rejectionMessage(failure);
    }
    toast.ok('绑定成功', redirectDelay);
    void cardsChanged(queries);
    await new Promise((resolve) => setTimeout(resolve, redirectDelay));
    if (isOnPage()) backTwo();
    return undefined;
  };
}
