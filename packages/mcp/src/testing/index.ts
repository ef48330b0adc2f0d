export { resourceResultOf, toolResultOf } from '../result.ts';
export { everythingServer, stdioServer } from '../test-support/everything.ts';
export { HOSTILE_SERVER } from '../test-support/hostile-server.ts';
