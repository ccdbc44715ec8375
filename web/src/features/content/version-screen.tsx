import './version.css';
import { useNavigate } from 'react-router';
import { Link } from '../../shop/link';
import { paths } from '../../shop/paths';
import { Cell, CellGroup } from '../../ui/cell';
import { Icon } from '../../ui/icon';
import { NavBar } from '../../ui/nav-bar';
import { config } from '../../wire/config';

/** Shows what the app is for, the version of the running build, and its terms. */
export default function VersionScreen() {
  const navigate = useNavigate();
  return (
    <>
      <NavBar title="你好" />
      <div className="version">
        <Icon name="ticket" className="version__mark" />
        <h2>选座购票，福利卡抵票款</h2>
        <p>当前版本 {config.build}</p>
        <CellGroup>
          <Cell icon="document" title="使用说明" onClick={() => navigate(paths.rules())} />
          <Cell icon="shield" title="隐私政策" onClick={() => navigate(paths.privacy())} />
        </CellGroup>
        <Link to={paths.home()} className="version__home">
          回到首页
        </Link>
      </div>
    </>
  );
}
