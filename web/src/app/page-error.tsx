import { paths } from '../shop/paths';
import { Button } from '../ui/button';
import { ErrorState } from '../ui/empty';

/**
 * The error of a page that threw while rendering, or (`lost`) whose chunk could not be loaded. Its buttons reload the
 * entire app, in case the app is the cause.
 */
export const pageError = (lost: boolean) => (
  <ErrorState
    message={lost ? '页面没有加载成功，请检查网络后重试' : '页面出错了，请重试'}
    onRetry={() => window.location.reload()}
  >
    <Button kind="text" onClick={() => window.location.assign(paths.home())}>
      回到首页
    </Button>
  </ErrorState>
);
