let landed: string | undefined;

/**
 * Stores the landing address. The app calls it at the start, before the router changes the address. Reading the address
 * when this module loads would be too late, because its chunk may be loaded with a later page.
 */
export function rememberLanding(): void {
  landed = window.location.href;
}

/**
 * The address that the document was loaded with. On iOS the JS-SDK's signature is for this address, not for the current
 * one.
 */
export function landingURL(): string {
  return landed ?? window.location.href;
}
