import { useBack } from '../../shop/use-back';
import { usePlace } from '../../shop/use-place';
import { NavBar } from '../../ui/nav-bar';
import { Tabs } from '../../ui/tabs';
import { GoodsList } from './goods-list';

const tabs = [
  { key: 1, title: '阅读教育', goods: '阅读会员' },
  { key: 2, title: '网络工具', goods: '网络工具' },
] as const;

/** The page of reading memberships and network tools. */
export default function ReadingScreen() {
  const back = useBack();
  const [place, setTab] = usePlace('tab');
  const { key: tab, goods } = tabs[place === '2' ? 1 : 0];
  return (
    <>
      <NavBar title={goods} onBack={back} />
      <Tabs items={tabs} active={tab} onChange={(key) => setTab(String(key))} label="阅读会员" fill sticky>
        <GoodsList shelf={{ kind: 'reading', flag: tab }} none={`暂无${goods}`} />
      </Tabs>
    </>
  );
}
