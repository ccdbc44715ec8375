import { toast } from './toast';

/** Copies a text to the clipboard and shows a toast with the result. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // The clipboard API is missing in older browsers of the messaging app and on pages without TLS.
    if (!copyBySelection(text)) return toast('复制失败，请长按选择');
  }
  toast('已复制到剪贴板');
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
  }
}
