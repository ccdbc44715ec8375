/** The length of the vibration in milliseconds. It is felt as a short tap. */
const tickMs = 8;

/**
 * Vibrates for a moment, to confirm a tap, if the phone supports it and the customer has not enabled reduced motion.
 */
export function tick(): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  navigator.vibrate?.(tickMs);
}
