import { setupServer } from 'msw/node';

/** The shop at the other end of the wire. Tests add the calls they are about: `server.use(...)`. */
export const server = setupServer();
