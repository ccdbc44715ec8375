import './policy.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sanitizeHtml } from '../../shop/sanitize-html';
import { useBack } from '../../shop/use-back';
import { ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { RichText } from '../../ui/rich-text';
import { Skeleton } from '../../ui/skeleton';
import { customerMessage } from '../../wire/api-error';
import { type PolicyId, policyQuery } from './get-policy';

interface PolicyPageProps {
  id: PolicyId;
  title: string;
  /** Content below the text. It is rendered only after the text has loaded or failed, so that it does not move. */
  children?: ReactNode;
}

/** The page of a legal text of the shop. Its HTML comes from the back office and is sanitized here. */
export function PolicyPage({ id, title, children }: PolicyPageProps) {
  const back = useBack();
  const policy = useQuery(policyQuery(id));
  const content = policy.data?.content;
  const clean = useQuery({
    queryKey: ['policy-clean', id, content],
    queryFn: () => sanitizeHtml(content ?? ''),
    enabled: content !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });

  // A text that cannot be sanitized is not shown. The page shows an error instead.
  const failed = content === undefined && policy.isError ? policy : clean.isError ? clean : undefined;

  return (
    <>
      <NavBar title={title} onBack={back} />
      {failed ? (
        <ErrorState message={customerMessage(failed.error)} onRetry={() => failed.refetch()} />
      ) : clean.data === undefined ? (
        <Skeleton rows={12} className="mq-page" />
      ) : (
        // `clean.data` is sanitized.
        <RichText as="article" className="policy mq-second mq-text-14" html={clean.data} />
      )}
      {(failed || clean.data !== undefined) && children}
    </>
  );
}
