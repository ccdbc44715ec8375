import { RecordsPage } from './records-page';

/** The page of a card's recharges. */
export default function RechargeRecordsScreen() {
  return <RecordsPage kind="recharge" title="充值记录" nothing="暂无充值记录..." />;
}
