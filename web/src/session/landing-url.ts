let landed: string | undefined;

/**
 * To be called before anything changes the address. A call, since the build leaves out of the start what a module only
 * reads: it would be read when the first page that needs it is loaded, and that is another address.
 */
export function rememberLanding(): void {
  landed = window.location.href;
}

/**
 * The address that this page was loaded with. iOS counts it as the page's for the JS-SDK's signature, however far a
 * single-page app has moved since.
 */
export function landingURL(): string {
  return landed ?? window.location.href;
}
