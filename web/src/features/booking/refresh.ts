/** Milliseconds between two looks at the seats while somebody chooses. */
export const refreshEvery = 8000;
