import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { cardsChanged } from '../../shop/invalidate';
import { paths } from '../../shop/paths';
import { toast } from '../../ui/toast';
import { useMounted } from '../../ui/use-mounted';
import { customerMessage } from '../../wire/api-error';

const redirectDelay = 1000;

/** Binds in one of the ways there are: says 绑定成功 and leads two pages back, or says what the shop says. */
export function useBinding(): (bind: () => Promise<unknown>) => Promise<void> {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const here = useMounted();

  function backTwo() {
    const index: unknown = window.history.state?.idx;
    // A visit that began here, or one page before, has no two pages of ours to go back over.
    if (typeof index === 'number' && index < 2) navigate(paths.me(), { replace: true });
    else navigate(-2);
  }

  return async (bind) => {
    try {
      await bind();
    } catch (failure) {
      toast(customerMessage(failure));
      return;
    }
    toast.ok('绑定成功', redirectDelay);
    void cardsChanged(queries);
    await new Promise((resolve) => setTimeout(resolve, redirectDelay));
    if (here()) backTwo();
  };
}
