import './uploader.css';
import { type ChangeEvent, type ReactNode, useEffect, useState } from 'react';
import { cx } from './cx';

interface UploaderProps {
  /** What choosing does, for people who cannot see it: 更换头像. */
  label: string;
  /** The kinds of picture that are taken: image/png. */
  accept: readonly string[];
  /** Bytes that a picture may have. */
  most: number;
  /** A file that is not sent at all: of another kind, or too large. */
  onRefused: (why: 'kind' | 'size') => void;
  /** Sends it and tells, from 0 to 1, how far it is. The preview stays until the promise has settled. */
  onPick: (file: File, progress: (share: number) => void) => Promise<unknown>;
  /** What is shown; with a preview that is the picture on its way. */
  children: (preview: string | undefined) => ReactNode;
  className?: string;
}

interface Sending {
  preview: string | undefined;
  share: number;
}

/** Picks a picture, shows it while it is sent, and says how far it is. */
export function Uploader({ label, accept, most, onRefused, onPick, children, className }: UploaderProps) {
  const [sending, setSending] = useState<Sending>();
  const preview = sending?.preview;
  useEffect(() => {
    if (preview) return () => URL.revokeObjectURL(preview);
    return undefined;
  }, [preview]);

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0];
    // The same file may be chosen again after a failure.
    target.value = '';
    if (!file) return;
    if (!accept.includes(file.type)) return onRefused('kind');
    if (file.size > most) return onRefused('size');
    const shown = URL.createObjectURL?.(file);
    setSending({ preview: shown, share: 0 });
    try {
      await onPick(file, (share) => setSending({ preview: shown, share }));
    } finally {
      setSending(undefined);
    }
  }

  const percent = Math.round((sending?.share ?? 0) * 100);
  return (
    <label className={cx('mq-uploader', className)} aria-busy={sending !== undefined}>
      {children(preview)}
      {sending && (
        <span
          className="mq-uploader__progress"
          role="progressbar"
          aria-label="上传进度"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          {percent}%
        </span>
      )}
      <input
        type="file"
        accept={accept.join(',')}
        className="mq-hidden"
        aria-label={label}
        disabled={sending !== undefined}
        onChange={choose}
      />
    </label>
  );
}
