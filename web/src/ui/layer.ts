/** The event that a popup dispatches after it has opened in the top layer. Toasts then open again above it. */
export const layerEvent = 'mq-layer';
