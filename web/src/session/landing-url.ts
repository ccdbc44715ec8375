let landed: string | undefined;

/**
 * Stores the landing address. The app calls it at its start, before the router changes the address. Reading the address
 * when this module is loaded would be too late, because its chunk is loaded with a later page.
 */
export function rememberLanding(): void {
  landed = window.location.href;
}

/**
 * The address that the document was loaded with. On iOS the JS-SDK's signature is for this address, whatever the router
 * shows now.
 */
export function landingURL(): string {
  return landed ?? window.location.href;
}
