import { useBack } from '../../shop/use-back';
import { NavBar } from '../../ui/nav-bar';
import { GoodsList } from './goods-list';

/** The page of music memberships. */
export default function MusicScreen() {
  const back = useBack();
  return (
    <>
      <NavBar title="音乐会员" onBack={back} />
      <GoodsList shelf={{ kind: 'music' }} none="暂无音乐会员" />
    </>
  );
}
