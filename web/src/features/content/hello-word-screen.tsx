import './policy.css';
import { Link } from 'react-router';
import { config } from '../../api/config';
import { paths } from '../../api/paths';
import { NavBar } from '../../ui/nav-bar';

/** Says which build is running. */
export default function HelloWordScreen() {
  return (
    <>
      <NavBar title="你好" />
      <div className="policy">
        <p>当前版本 {config.build}</p>
        <Link to={paths.home()}>回到首页</Link>
      </div>
    </>
  );
}
