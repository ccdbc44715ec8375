import './uploader.css';
import { type ChangeEvent, type ReactNode, useEffect, useState } from 'react';
import { cx } from './cx';

interface UploaderProps {
  /** The name of the button for screen readers: 更换头像. */
  label: string;
  /** The accepted MIME types, such as image/png. */
  accept: readonly string[];
  /** The largest accepted size in bytes. */
  most: number;
  /** Called for a file that is not sent, because of its MIME type or its size. */
  onRefused: (why: 'kind' | 'size') => void;
  /** Uploads the file and reports its progress from 0 to 1. The preview stays until the promise has settled. */
  onPick: (file: File, progress: (share: number) => void) => Promise<unknown>;
  /** Renders the picture. During an upload it receives the address of the preview. */
  children: (preview: string | undefined) => ReactNode;
  className?: string;
}

interface Sending {
  preview: string | undefined;
  share: number;
}

/** A button to pick a picture, with a preview and the progress while it is uploaded. */
export function Uploader({ label, accept, most, onRefused, onPick, children, className }: UploaderProps) {
  const [sending, setSending] = useState<Sending>();
  const preview = sending?.preview;
  useEffect(() => {
    if (preview) return () => URL.revokeObjectURL(preview);
    return undefined;
  }, [preview]);

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0];
    // Without this, picking the same file again after a failure would not fire an event.
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
