import './brand-head.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Picture } from '../ui/picture';
import { loginInfoQuery } from './login-info';

/** The shop's logo and slogan at the top of a page, above a line about the page. */
export function BrandHead({ children }: { children: ReactNode }) {
  const { data: info } = useQuery(loginInfoQuery);
  return (
    <div className="brand-head mq-grid mq-items-middle mq-gap-8 mq-second mq-centered">
      {info?.weblogo ? (
        <Picture src={info.weblogo} alt="" ratio="1" width={72} fallback="film" eager />
      ) : (
        <span className="brand-head__blank" />
      )}
      <strong className="mq-mt-8 mq-ink mq-text-20 mq-strong">选座购票，福利卡抵票款</strong>
      <p>{children}</p>
    </div>
  );
}
