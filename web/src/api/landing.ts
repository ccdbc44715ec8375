/**
 * The address that this page was loaded with. iOS counts it as the page's for the JS-SDK's signature, however far a
 * single-page app has moved since; so it is read before anything changes the address.
 */
export const landingURL: string = globalThis.location?.href ?? '';
