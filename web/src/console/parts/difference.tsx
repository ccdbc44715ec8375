import './difference.css';
/** Returns the index of the first character that differs, -1 if the texts are equal. */
export function firstDifference(a: string, b: string): number {
  if (a === b) return -1;
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return i;
  return shorter;
}

/** Two texts side by side, with the first character that differs marked in both. */
export function Difference({ names, texts }: { names: [string, string]; texts: [string, string] }) {
  const at = firstDifference(...texts);
  return (
    <div className="difference mq-grid mq-gap-12">
      <Side name={names[0]} text={texts[0]} at={at} />
      <Side name={names[1]} text={texts[1]} at={at} />
      <p className="difference__at mq-note">
        {at < 0 ? 'The texts are equal.' : `The first difference is at character ${at + 1}.`}
      </p>
    </div>
  );
}

function Side({ name, text, at }: { name: string; text: string; at: number }) {
  return (
    <figure className="mq-shrink">
      <figcaption>{name}</figcaption>
      <pre className="block mq-sunken mq-text-12">
        {at < 0 ? (
          text
        ) : (
          <>
            {text.slice(0, at)}
            <mark>{text[at] === '\n' ? '↵\n' : (text[at] ?? '␃')}</mark>
            <span className="mq-second">{text.slice(at + 1)}</span>
          </>
        )}
      </pre>
    </figure>
  );
}
