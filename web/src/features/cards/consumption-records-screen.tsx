import { RecordsPage } from './records-page';

/** The page of payments with a card. */
export default function ConsumptionRecordsScreen() {
  return <RecordsPage kind="consume" title="消费记录" nothing="暂无消费记录..." />;
}
