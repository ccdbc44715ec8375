import type { ReactNode } from 'react';

export interface DialogOptions {
  title: string;
  message?: ReactNode;
  /** 确定 by default. */
  confirmText?: string;
  /** 取消 by default. */
  cancelText?: string;
  /** Whether 确定 is destructive. It then has a warning colour. */
  destructive?: boolean;
  /** Whether Escape and the backdrop answer 取消; true by default. */
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

/** Shows a question and resolves to true if the customer confirms. Dialogs are shown one after the other. */
export function confirm(options: DialogOptions): Promise<boolean> {
  return ask(options, true);
}

/** Shows a message and resolves when the customer closes it. */
export async function alert(options: Omit<DialogOptions, 'cancelText'>): Promise<void> {
  await ask(options, false);
}

/** Cancels all dialogs, because their page was left. */
export function dismissDialogs(): void {
  for (const asked of queue) asked.answer(false);
}

/** The store of dialogs that DialogHost subscribes to. */
export const dialogs = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  first: (): Asked | undefined => queue[0],
};
