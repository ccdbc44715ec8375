import { useNavigate } from 'react-router';
import { paths } from '../shop/paths';
import { useBack } from '../shop/use-back';
import { Button } from '../ui/button';
import { Empty } from '../ui/empty';
import { NavBar } from '../ui/nav-bar';

/** Shown for an address without a route. */
export function NotFound() {
  return <HomeLinkPage title="页面不存在" text="页面不存在或已下线" />;
}

/**
 * Shown for an address that does not contain a query value that its screen needs. A retry could not succeed, so none is
 * offered.
 */
export function Incomplete() {
  return <HomeLinkPage title="链接不完整" text="链接不完整，请从首页重新进入" />;
}

function HomeLinkPage({ title, text }: { title: string; text: string }) {
  const navigate = useNavigate();
  const back = useBack();
  return (
    <>
      <NavBar title={title} onBack={back} />
      <Empty text={text}>
        <Button kind="primary" onClick={() => navigate(paths.home(), { replace: true })}>
          回到首页
        </Button>
      </Empty>
    </>
  );
}
