import { type ChangeEvent, useState } from 'react';
import { toast } from '../../ui/toast';
import type { Call } from '../api/call';
import type { WorldDetails } from '../api/generated/control';
import { useSend } from '../api/queries';
import { messageOf, Wrong } from './act';

/** Sends a snapshot file as the body of a call. */
export function Upload({
  text,
  call,
  done,
  onDone,
}: {
  text: string;
  call: (file: string) => Call<WorldDetails>;
  done: string;
  onDone?: (made: WorldDetails) => void;
}) {
  const send = useSend();
  const [wrong, setWrong] = useState<string>();

  async function upload(event: ChangeEvent<HTMLInputElement>) {
    const input = event.target;
    const file = input.files?.[0];
    if (!file) return;
    setWrong(undefined);
    try {
      const made = await send(call(file.name), await file.text());
      toast.ok(done);
      onDone?.(made);
    } catch (failure) {
      setWrong(messageOf(failure));
    }
    input.value = '';
  }

  return (
    <span className="act mq-gap-4">
      <label className="button mq-inline mq-relative mq-sheet mq-text-13 mq-medium">
        <input type="file" className="mq-hidden" accept="application/json,.json" onChange={upload} />
        {text}
      </label>
      {wrong && <Wrong text={wrong} />}
    </span>
  );
}
