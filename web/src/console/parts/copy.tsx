import './copy.css';
import { useState } from 'react';
import { Icon } from '../../ui/icon';
import { toast } from '../../ui/toast';

/** A button that copies a text. Its label then confirms that. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    } catch {
      toast.fail('The browser blocked access to the clipboard.');
    }
  }

  return (
    <button
      type="button"
      className="copy mq-fixed mq-relative mq-second"
      aria-label={copied ? 'Copied' : `Copy ${label}`}
      onClick={copy}
    >
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  );
}

/** A value in monospace, with a copy button. */
export function Value({ text, label }: { text: string; label: string }) {
  return (
    <span className="value mq-inline mq-gap-2">
      <code className="mq-shrink">{text}</code>
      <Copy text={text} label={label} />
    </span>
  );
}
