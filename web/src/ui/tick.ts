/** The length of the vibration in milliseconds. It is felt as a short tap. */
const tickMs = 8;

/** Answers a tap with a short vibration, where the phone can and the customer has not asked for reduced motion. */
export function tick(): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  navigator.vibrate?.(tickMs);
}
