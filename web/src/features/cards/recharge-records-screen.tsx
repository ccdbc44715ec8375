import { RecordsPage } from './records-page';

/** What was put on a card. */
export default function RechargeRecordsScreen() {
  return <RecordsPage kind="recharge" title="充值记录" nothing="暂无充值记录..." />;
}
