/**
 * The event that a popup dispatches after it has opened in the browser's top layer. A toast that is shown then opens
 * again, so that it is above the popup.
 */
export const layerEvent = 'mq-layer';
