import './seat-page.css';
import { memo } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../shop/paths';
import { useBack } from '../../shop/use-back';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { PageSkeleton } from '../../ui/page-skeleton';
import { Bone } from '../../ui/skeleton';
import { codeOf, customerMessage } from '../../wire/api-error';
import { stoppedTexts } from './picks-panel';

/**
 * The placeholder of the page while the seat map loads. It is memoized so that the answer about unpaid orders does not
 * render it again.
 */
export const SeatPageLoading = memo(function SeatPageLoading() {
  const back = useBack();
  return (
    <div className="mq-stack mq-fill">
      <NavBar title="选择座位" onBack={back} />
      <PageSkeleton head={<Bone height="60dvh" radius={12} />} cards={[2]} bar />
    </div>
  );
});

/** The shop's error codes after which the buyer has to choose another showing, because a retry cannot succeed. */
const gone: Partial<Record<string, string>> = {
  sale_stopped: stoppedTexts.stopped,
  show_not_found: '场次不存在或已下架',
};

interface SeatPageFailedProps {
  failure: unknown;
  onRetry: () => unknown;
  /** The page of the cinema's showings; undefined if the address does not contain the cinema. */
  showings: string | undefined;
}

/**
 * The page if the seat map could not be loaded: says that the showing is no longer on sale, or offers to repeat the
 * call.
 */
export function SeatPageFailed({ failure, onRetry, showings }: SeatPageFailedProps) {
  const back = useBack();
  const words = gone[codeOf(failure) ?? ''];
  if (words !== undefined) return <OtherShowings words={words} showings={showings} />;
  return (
    <div className="mq-stack mq-fill">
      <NavBar title="选择座位" onBack={back} />
      <ErrorState message={customerMessage(failure)} onRetry={onRetry} />
    </div>
  );
}

interface OtherShowingsProps {
  words: string;
  showings: string | undefined;
}

/**
 * The page with the reason why tickets for the showing in the address are not sold here, and a link to the showings of
 * its cinema, or to the home page if the cinema is not known.
 */
export function OtherShowings({ words, showings }: OtherShowingsProps) {
  const back = useBack();
  const navigate = useNavigate();
  return (
    <div className="mq-stack mq-fill">
      <NavBar title="选择座位" onBack={back} />
      <Empty text={words}>
        <Button onClick={() => navigate(showings ?? paths.home(), { replace: true })}>
          {showings === undefined ? '回到首页' : '查看影院场次'}
        </Button>
      </Empty>
    </div>
  );
}

/** The text if the film or cinema in the address is not that of the showing. */
export const otherShow = '链接中的影片或影院与该场次不符，请重新选择场次';

/**
 * Reports whether the id `named` of the address differs from all ids of the answer (`answered`). Empty ids are ignored.
 */
export function differs(named: string, ...answered: string[]): boolean {
  return named !== '' && answered.some((id) => id !== '') && !answered.includes(named);
}
