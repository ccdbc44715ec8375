import './seat-page.css';
import { memo } from 'react';
import { useBack } from '../../shop/use-back';
import { Empty, ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { Bone, Skeleton } from '../../ui/skeleton';
import { codeOf, customerMessage } from '../../wire/api-error';

/** The seat map while it is on its way; what else arrives meanwhile does not draw it anew. */
export const SeatPageLoading = memo(function SeatPageLoading() {
  const back = useBack();
  return (
    <div className="seats">
      <NavBar title="选择座位" onBack={back} />
      <Skeleton className="seats__bones">
        <Bone width="55%" />
        {Array.from({ length: 9 }, (_, row) => (
          <Bone key={row} height={22} width={`${70 + (row % 4) * 9}%`} radius={6} />
        ))}
      </Skeleton>
    </div>
  );
});

/** The seat map that did not come, or is no longer sold from. */
export function SeatPageFailed({ failure, onRetry }: { failure: unknown; onRetry: () => unknown }) {
  const back = useBack();
  return (
    <div className="seats">
      <NavBar title="选择座位" onBack={back} />
      {codeOf(failure) === 'sale_stopped' ? (
        <Empty text="该场次已停售，请选择其他场次" />
      ) : (
        <ErrorState message={customerMessage(failure)} onRetry={onRetry} />
      )}
    </div>
  );
}
