import './uploader.css';
import { type ChangeEvent, type ReactNode, useEffect, useState } from 'react';
import { cx } from './cx';

interface UploaderProps {
  /** The name of the button for screen readers: 更换头像. */
  label: string;
  /** The accepted MIME types, such as image/png. */
  accept: readonly string[];
  /** Called for a file of another MIME type. */
  onWrongKind: () => void;
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

const otherNames: Record<string, string> = { 'image/jpg': 'image/jpeg', 'image/pjpeg': 'image/jpeg' };

/**
 * Whether a file may be of an accepted type. The browsers inside some apps report no type, or a nonstandard one such as
 * image/jpg.
 */
function mayBe(accept: readonly string[], type: string): boolean {
  if (type === '' || type === 'application/octet-stream') return true;
  return accept.includes(otherNames[type] ?? type);
}

/** A button to pick a picture, with a preview and the progress while it is uploaded. */
export function Uploader({ label, accept, onWrongKind, onPick, children, className }: UploaderProps) {
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
    if (!mayBe(accept, file.type)) return onWrongKind();
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
    <label
      className={cx('mq-uploader mq-focus mq-fixed mq-relative mq-block', className)}
      aria-busy={sending !== undefined}
    >
      {children(preview)}
      {sending && (
        <span
          className="mq-uploader__progress mq-center mq-white mq-text-13 mq-strong"
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
