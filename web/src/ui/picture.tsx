import './picture.css';
import { useState } from 'react';
import { cx } from './cx';
import { Icon, type IconName } from './icon';

interface PictureProps {
  src: string;
  /** The alternative text; empty if the text next to the picture says the same. */
  alt: string;
  /** The CSS aspect ratio; 2 / 3 for a poster. */
  ratio?: string;
  width?: number | string;
  /** The height in pixels. Together with `width` it is used instead of `ratio`. */
  height?: number;
  /** Whether the picture is loaded at once and before others. Set it for the first visible picture. */
  eager?: boolean;
  round?: boolean;
  /** Whether the picture is not cropped, but shown with margins if its ratio differs. */
  whole?: boolean;
  fallback?: IconName;
  className?: string;
}

/** A picture that keeps its size while it loads and if it fails to load. */
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
          className={eager ? undefined : 'mq-picture__late'}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : undefined}
          decoding="async"
          draggable={false}
          onLoad={(event) => {
            event.currentTarget.dataset.loaded = '';
          }}
          onError={() => setFailed(src)}
        />
      )}
    </span>
  );
}
