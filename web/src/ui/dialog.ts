import type { ReactNode } from 'react';

export interface DialogOptions {
  title: string;
  message?: ReactNode;
  /** 确定 by default. */
  confirmText?: string;
  /** 取消 by default. */
  cancelText?: string;
  /** Whether Escape and the backdrop count as 取消. True by default; false where one of the two must be chosen. */
  dismissable?: boolean;
}

export interface Asked extends DialogOptions {
  id: number;
  cancel: boolean;
  answer: (yes: boolean) => void;
}

let queue: readonly Asked[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Asked[]): void {
  queue = next;
  for (const listener of listeners) listener();
}

function ask(options: DialogOptions, cancel: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    lastId += 1;
    const id = lastId;
    const answer = (yes: boolean) => {
      change(queue.filter((other) => other.id !== id));
      resolve(yes);
    };
    change([...queue, { ...options, id, cancel, answer }]);
  });
}

/** Asks, and says whether the customer agreed. Dialogs wait for one another. */
export function confirm(options: DialogOptions): Promise<boolean> {
  return ask(options, true);
}

/** Tells, and goes on when the customer has read it. */
export async function alert(options: Omit<DialogOptions, 'cancelText'>): Promise<void> {
  await ask(options, false);
}

/** Closes what is open, as 取消: the page it belonged to is gone. */
export function dismissDialogs(): void {
  for (const asked of queue) asked.answer(false);
}

/** The dialog that is open, for the host. */
export const dialogs = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  first: (): Asked | undefined => queue[0],
};
