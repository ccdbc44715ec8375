import { setupServer } from 'msw/node';

/** The mock server of the shop. Tests add handlers for the calls that they need with `server.use(...)`. */
export const server = setupServer();
