import './picture.css';
import { useState } from 'react';
import { cx } from './cx';
import { Icon, type IconName } from './icon';

interface PictureProps {
  src: string;
  /** Empty where the text beside it says the same. */
  alt: string;
  /** CSS aspect ratio; a poster is 2 / 3. */
  ratio?: string;
  width?: number | string;
  /** Together with a width in pixels it stands for the ratio. */
  height?: number;
  /** The picture one sees first: loaded at once and before others. */
  eager?: boolean;
  round?: boolean;
  /** Nothing of it is cut off: another ratio leaves a margin. */
  whole?: boolean;
  fallback?: IconName;
  className?: string;
}

/** A picture that keeps its place while it loads and when it does not come. */
export function Picture({
  src,
  alt,
  ratio,
  width,
  height,
  eager,
  round,
  whole,
  fallback = 'image',
  className,
}: PictureProps) {
  const [failed, setFailed] = useState<string>();
  const missing = src === '' || failed === src;
  return (
    <span
      className={cx('mq-picture', whole && 'mq-picture--whole', className)}
      style={{
        aspectRatio: ratio ?? (height ? `${width} / ${height}` : '2 / 3'),
        width,
        borderRadius: round ? '50%' : undefined,
      }}
    >
      {missing ? (
        <Icon name={fallback} label={alt || undefined} />
      ) : (
        <img
          src={src}
          alt={alt}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : undefined}
          decoding="async"
          draggable={false}
          onError={() => setFailed(src)}
        />
      )}
    </span>
  );
}
