import { useQuery } from '@tanstack/react-query';
import { Icon } from '../ui/icon';
import { config } from '../wire/config';
import { loginInfoQuery } from './login-info';

/** The address of customer service; empty if the shop has none. */
export function useServiceAddress(): string {
  const { data: info } = useQuery(loginInfoQuery);
  return info?.zxkf || config.links.service;
}

/** A link to customer service, with its daily hours (9:00 to 21:00). Renders nothing if the shop has none. */
export function ServiceLink() {
  const address = useServiceAddress();
  if (!address) return null;
  return (
    <a href={address} rel="noopener" className="mq-row mq-middle mq-touch mq-gap-6 mq-ink mq-text-14">
      <Icon name="service" />
      联系客服
      <small className="mq-small">9:00-21:00</small>
    </a>
  );
}
