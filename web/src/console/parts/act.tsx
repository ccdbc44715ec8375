import './act.css';
import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps } from '../../ui/button';
import { confirm } from '../../ui/dialog';
import { toast } from '../../ui/toast';
import { type Call, Refusal } from '../api/call';
import { useSend } from '../api/queries';

interface ActProps extends Omit<ButtonProps, 'onClick'> {
  call: Call;
  /** Said when it is done. */
  done?: string;
  /** Asked before. */
  ask?: { title: string; message: ReactNode; confirmText: string };
  /** Given what the call answered. */
  onDone?: (answer: never) => void;
  children: ReactNode;
}

/** A button that makes a call; what the API refuses stands beneath it. */
export function Act({ call, done, ask, onDone, children, size = 'small', ...rest }: ActProps) {
  const sendCall = useSend();
  const [wrong, setWrong] = useState<string>();

  async function act() {
    if (ask && !(await confirm({ ...ask, cancelText: 'Cancel' }))) return;
    setWrong(undefined);
    try {
      const answer = await sendCall(call);
      toast.ok(done);
      onDone?.(answer as never);
    } catch (failure) {
      setWrong(says(failure));
    }
  }

  return (
    <span className="act">
      <Button size={size} {...rest} onClick={act}>
        {children}
      </Button>
      {wrong && <Wrong text={wrong} />}
    </span>
  );
}

export function Wrong({ text }: { text: string }) {
  return (
    <p className="wrong" role="alert">
      {text}
    </p>
  );
}

/** What went wrong, for people. */
export function says(failure: unknown): string {
  if (failure instanceof Refusal) return failure.message;
  return failure instanceof Error ? failure.message : String(failure);
}
