/** Sent when a popup has come to lie above everything: what must stay above it puts itself there again. */
export const layerEvent = 'mq-layer';
