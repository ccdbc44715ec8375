import { config } from '../wire/config';

/** The way to customer service, where the shop has one. */
export function ServiceLink() {
  const { service } = config.links;
  if (!service) return null;
  return (
    <a href={service} className="van-button van-button--default van-button--large van-button--block" rel="noopener">
      联系客服
    </a>
  );
}
