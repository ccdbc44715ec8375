/** Reports whether the page runs inside the messaging app's browser. */
export function isInApp(userAgent: string = navigator.userAgent): boolean {
  return /MicroMessenger/i.test(userAgent);
}
