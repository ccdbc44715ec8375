import { useNavigate } from 'react-router';
import { paths } from '../api/paths';
import { Button } from '../ui/button';
import { Empty } from '../ui/empty';

export function NotFound() {
  const navigate = useNavigate();
  return (
    <Empty text="页面不存在">
      <Button kind="primary" onClick={() => navigate(paths.home())}>
        回到首页
      </Button>
    </Empty>
  );
}
