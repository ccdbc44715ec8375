import { Picture } from '../ui/picture';
import { Swipe } from '../ui/swipe';
import type { Banner } from '../wire/generated/Banner';
import { TargetLink } from './target-link';

interface BannersProps {
  banners: readonly Banner[];
  label: string;
  /** The CSS aspect ratio, such as `var(--banner-ratio)`. Pictures of another ratio are cropped. */
  ratio: string;
  /** Milliseconds that each banner is shown. */
  interval: number;
}

/**
 * The banners of a page, one at a time. Each is a link to a page of the app or another site. Renders nothing if there
 * are no banners.
 */
export function Banners({ banners, label, ratio, interval }: BannersProps) {
  if (banners.length === 0) return null;
  return (
    <Swipe
      label={label}
      autoplay={interval}
      slides={banners.map((banner, i) => ({
        key: banner.id,
        content: (
          <TargetLink url={banner.url} label={banner.title}>
            <Picture src={banner.img} alt={banner.title} ratio={ratio} eager={i === 0} />
          </TargetLink>
        ),
      }))}
    />
  );
}
