import { dialogs } from '../src/ui/dialog';

/** Answers the open dialogs with 取消. One that a test leaves open would be shown before those of the next test. */
export function cancelDialogs(): void {
  for (let asked = dialogs.first(); asked; asked = dialogs.first()) asked.answer(false);
}
