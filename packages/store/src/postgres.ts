export { watchLines } from './database/postgres-lines.ts';
