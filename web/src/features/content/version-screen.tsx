import './version.css';
import { Link, useNavigate } from 'react-router';
import { BrandHead } from '../../shop/brand-head';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { Cell, CellGroup } from '../../ui/cell';
import { NavBar } from '../../ui/nav-bar';
import { config } from '../../wire/config';

/** Shows the app's logo and slogan, the version of the running build, and links to the terms. */
export default function VersionScreen() {
  const back = useBack();
  const navigate = useNavigate();
  return (
    <>
      <NavBar title="你好" onBack={back} />
      <div className="mq-column mq-gap-12 mq-page mq-centered">
        <BrandHead>当前版本 {config.build}</BrandHead>
        <CellGroup>
          <Cell icon="document" title="使用说明" onClick={() => navigate(paths.rules())} />
          <Cell icon="shield" title="隐私政策" onClick={() => navigate(paths.privacy())} />
        </CellGroup>
        <Link to={paths.home()} className="version__home mq-touch mq-brand">
          回到首页
        </Link>
      </div>
    </>
  );
}
