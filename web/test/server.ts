import { setupServer } from 'msw/node';

/** The mock server of the shop. Tests add the calls that they are about: `server.use(...)`. */
export const server = setupServer();
