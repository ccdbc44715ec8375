import './act.css';
import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps } from '../../ui/button';
import { confirm } from '../../ui/dialog';
import { toast } from '../../ui/toast';
import type { Call } from '../api/call';
import { useSend } from '../api/queries';

interface ActProps extends Omit<ButtonProps, 'onClick'> {
  call: Call;
  /** The message after success, or a function that returns it, or throws the error to show, for the answer. */
  done?: string | ((answer: never) => string);
  /** The texts of a dialog in which the user has to confirm the call before it is sent. */
  ask?: { title: string; message: ReactNode; confirmText: string };
  /** Called with the answer. */
  onDone?: (answer: never) => void;
  children: ReactNode;
}

/** A button that sends a call. An error of the API is shown below it. */
export function Act({ call, done, ask, onDone, children, size = 'small', ...rest }: ActProps) {
  const sendCall = useSend();
  const [wrong, setWrong] = useState<string>();

  async function act() {
    if (ask && !(await confirm({ ...ask, cancelText: 'Cancel' }))) return;
    setWrong(undefined);
    try {
      const answer = await sendCall(call);
      toast.ok(typeof done === 'function' ? done(answer as never) : done);
      onDone?.(answer as never);
    } catch (failure) {
      setWrong(messageOf(failure));
    }
  }

  return (
    <span className="act mq-gap-4">
      <Button size={size} {...rest} onClick={act}>
        {children}
      </Button>
      {wrong && <Wrong text={wrong} />}
    </span>
  );
}

export function Wrong({ text }: { text: string }) {
  return (
    <p className="wrong mq-bad mq-text-13" role="alert">
      {text}
    </p>
  );
}

/** Returns the sentence that describes a failure. */
export function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
