import { copy } from './copy';

export interface Invitation {
  text: string;
  /** The shared address, as a path of the app. */
  path: string;
}

/**
 * Opens the phone's share sheet with the address of the page, or with an invitation to another page. If there is no
 * share sheet, the text is copied instead.
 */
export async function share(title: string, invitation?: Invitation): Promise<void> {
  const url = invitation ? new URL(invitation.path, window.location.origin).href : window.location.href;
  const { text } = invitation ?? {};
  if (!navigator.share) {
    await copy(text === undefined ? url : `${title}：${text} ${url}`);
    return;
  }
  // Closing the sheet rejects the promise.
  await navigator.share({ title, url, ...(text !== undefined && { text: `${title}：${text}` }) }).catch(() => {});
}
