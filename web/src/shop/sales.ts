/** Seats of a showing are sold until this many seconds before its start. */
export const salesCutoffSeconds = 15 * 60;
