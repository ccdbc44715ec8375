import { useNavigate } from 'react-router';
import { paths } from '../shop/paths';
import { useBack } from '../shop/use-back';
import { Button } from '../ui/button';
import { Empty } from '../ui/empty';
import { NavBar } from '../ui/nav-bar';

/** An address that is no page. */
export function NotFound() {
  return <WayHome title="页面不存在" text="这个地址没有页面" />;
}

/** An address that is a page about something, and does not say what. Asking again would not help. */
export function Incomplete() {
  return <WayHome title="链接不完整" text="链接不完整，请从首页重新进入" />;
}

function WayHome({ title, text }: { title: string; text: string }) {
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
