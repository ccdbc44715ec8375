import type { ReactNode } from 'react';

interface DialogOptions {
  title: string;
  message?: ReactNode;
  /** 确定 by default. */
  confirmText?: string;
  /** 取消 by default. */
  cancelText?: string;
  /** Whether confirming is destructive, such as deleting something. The button then has a warning color. */
  destructive?: boolean;
  /** Whether Escape and a tap on the backdrop count as 取消; true by default. */
  dismissable?: boolean;
}

export interface Asked extends DialogOptions {
  id: number;
  answer: (yes: boolean) => void;
}

let queue: readonly Asked[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Asked[]): void {
  queue = next;
  for (const listener of listeners) listener();
}

/** Shows a question and resolves to true if the customer confirms. Dialogs are shown one after the other. */
export function confirm(options: DialogOptions): Promise<boolean> {
  return new Promise((resolve) => {
    lastId += 1;
    const id = lastId;
    const answer = (yes: boolean) => {
      change(queue.filter((other) => other.id !== id));
      resolve(yes);
    };
    change([...queue, { ...options, id, answer }]);
  });
}

/** The store of open dialogs. Overlays subscribes to it and renders the first one. */
export const dialogs = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  first: (): Asked | undefined => queue[0],
};
