import { useQuery } from '@tanstack/react-query';
import { sanitizeHtml } from '../../shop/sanitize-html';
import { ErrorState } from '../../ui/empty';
import { RichText } from '../../ui/rich-text';
import { Skeleton } from '../../ui/skeleton';
import { customerMessage } from '../../wire/api-error';
import { guidesQuery } from './get-guides';

/**
 * The guides to buying tickets and to visiting the cinema, below the rules. If they fail to load, the rules stay
 * visible.
 */
export function Guides() {
  const guides = useQuery(guidesQuery);
  if (guides.isError && !guides.data) {
    return (
      <section className="policy policy--guide mq-second mq-text-14" aria-label="购票指南、观影指南">
        <h2>购票指南、观影指南</h2>
        <ErrorState message={customerMessage(guides.error)} onRetry={() => guides.refetch()} />
      </section>
    );
  }
  if (!guides.data) return <Skeleton rows={6} className="mq-page" />;
  return (
    <>
      <Guide title="购票指南" html={guides.data.goupiao} />
      <Guide title="观影指南" html={guides.data.guanying} />
    </>
  );
}

/** One guide. Its HTML comes from the back office and is sanitized here. */
function Guide({ title, html }: { title: string; html: string }) {
  const clean = useQuery({
    queryKey: ['guide-clean', html],
    queryFn: () => sanitizeHtml(html, 3),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!clean.data) return null;
  return (
    <section className="policy policy--guide mq-second mq-text-14" aria-label={title}>
      <h2>{title}</h2>
      {/* `clean.data` is sanitized. */}
      <RichText html={clean.data} />
    </section>
  );
}
