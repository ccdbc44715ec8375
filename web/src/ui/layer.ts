/** The event that a popup dispatches after it has opened in the top layer. Toasts then reopen above it. */
export const layerEvent = 'mq-layer';
