import { copy } from './copy';

/** Opens the phone's share sheet with the address of the page. Where it has none, the address is copied. */
export async function share(title: string): Promise<void> {
  const url = window.location.href;
  if (!navigator.share) {
    await copy(url);
    return;
  }
  // The customer may close the sheet, which rejects the promise.
  await navigator.share({ title, url }).catch(() => {});
}
