import './policy.css';
import { Link } from '../../shop/link';
import { paths } from '../../shop/paths';
import { NavBar } from '../../ui/nav-bar';
import { config } from '../../wire/config';

/** Shows the version of the running build. */
export default function VersionScreen() {
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
