import { ServiceLink } from '../shop/service-link';
import { NoticeBar } from '../ui/notice-bar';

/** Why the last attempt to pay failed or is not settled, with the way to customer service; nothing without a reason. */
export function FailureReason({ reason }: { reason: string | undefined }) {
  if (!reason) return null;
  return (
    <div role="alert">
      <NoticeBar tone="bad" icon="warning">
        {reason}
      </NoticeBar>
      <ServiceLink />
    </div>
  );
}

/** That the outcome of the last attempt is not known yet, with the way to customer service; nothing without a text. */
export function PendingReason({ reason }: { reason: string | undefined }) {
  if (!reason) return null;
  return (
    <div role="status">
      <NoticeBar icon="clock">{reason}</NoticeBar>
      <ServiceLink />
    </div>
  );
}
