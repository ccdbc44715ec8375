import './policy.css';
import { useQuery } from '@tanstack/react-query';
import { customerMessage } from '../../api/api-error';
import { useBack } from '../../api/use-back';
import { ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { Skeleton } from '../../ui/skeleton';
import { type PolicyId, policyQuery } from './get-policy';

/** A text of the shop. Its HTML comes from the back office and is cleaned here all the same. */
export function PolicyPage({ id, title }: { id: PolicyId; title: string }) {
  const back = useBack();
  const policy = useQuery(policyQuery(id));
  const content = policy.data?.content;
  const clean = useQuery({
    queryKey: ['policy-clean', id, content],
    queryFn: () => cleaned(content ?? ''),
    enabled: content !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });

  return (
    <>
      <NavBar title={title} onBack={back} />
      {policy.isError ? (
        <ErrorState message={customerMessage(policy.error)} onRetry={() => policy.refetch()} />
      ) : clean.data === undefined ? (
        <Skeleton rows={12} className="policy policy--bones" />
      ) : (
        // Cleaned above.
        <article className="policy" dangerouslySetInnerHTML={{ __html: clean.data }} />
      )}
    </>
  );
}

async function cleaned(html: string): Promise<string> {
  const { default: purifier } = await import('dompurify');
  const body = document.createElement('div');
  body.append(
    purifier.sanitize(html, { USE_PROFILES: { html: true }, FORBID_ATTR: ['style'], RETURN_DOM_FRAGMENT: true }),
  );
  // A text that begins with headings of the third rank leaves out one: the page's own is the first.
  if (!body.querySelector('h2')) {
    for (const heading of body.querySelectorAll('h3')) {
      const lifted = document.createElement('h2');
      lifted.append(...heading.childNodes);
      heading.replaceWith(lifted);
    }
  }
  return body.innerHTML;
}
