export type { AcpHost } from './host.ts';
export { serveAcp } from './serve-acp.ts';
