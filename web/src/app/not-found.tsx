import { useNavigate } from 'react-router';
import { paths } from '../api/paths';
import { useBack } from '../api/use-back';
import { Button } from '../ui/button';
import { Empty } from '../ui/empty';
import { NavBar } from '../ui/nav-bar';

export function NotFound() {
  const navigate = useNavigate();
  const back = useBack();
  return (
    <>
      <NavBar title="页面不存在" onBack={back} />
      <Empty text="这个地址没有页面">
        <Button kind="primary" onClick={() => navigate(paths.home())}>
          回到首页
        </Button>
      </Empty>
    </>
  );
}
