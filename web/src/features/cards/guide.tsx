import { useQuery } from '@tanstack/react-query';
import { sanitizeHtml } from '../../shop/sanitize-html';
import { RichText } from '../../ui/rich-text';

/** The notes about binding. Their HTML comes from the back office and is sanitized here. */
export function Guide({ title, html }: { title: string; html: string }) {
  const clean = useQuery({
    queryKey: ['binding-guide-clean', html],
    queryFn: () => sanitizeHtml(html, 3),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (clean.data === undefined) return null;
  return (
    <section className="mq-column bind__guide mq-gap-8 mq-note">
      <h2 className="mq-ink mq-text-14">{title}</h2>
      {/* `clean.data` is sanitized. */}
      <RichText html={clean.data} />
    </section>
  );
}
