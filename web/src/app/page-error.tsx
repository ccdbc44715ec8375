import { paths } from '../shop/paths';
import { Button } from '../ui/button';
import { ErrorState } from '../ui/empty';

/** The error of a page that threw while it rendered. Its buttons load the entire app, which the error may concern. */
export const pageError = (
  <ErrorState message="页面出错了，请重试" onRetry={() => window.location.reload()}>
    <Button kind="text" onClick={() => window.location.assign(paths.home())}>
      回到首页
    </Button>
  </ErrorState>
);
