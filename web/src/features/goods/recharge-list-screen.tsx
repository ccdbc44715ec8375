import { useBack } from '../../shop/use-back';
import { NavBar } from '../../ui/nav-bar';
import { GoodsList } from './goods-list';

/** The page of goods that recharge an account. */
export default function RechargeListScreen() {
  const back = useBack();
  return (
    <>
      <NavBar title="充值中心" onBack={back} />
      <GoodsList shelf={{ kind: 'recharge' }} none="暂无充值商品" />
    </>
  );
}
