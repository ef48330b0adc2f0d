export { watchConnections } from './database/postgres-connections.ts';
