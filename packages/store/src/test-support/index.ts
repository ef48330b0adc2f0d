export { fillHistory } from './fill-history.ts';
export { startProxy } from './half-open-proxy.ts';
export { openedHome } from './opened-home.ts';
export type { Place } from './place.ts';
export type { PostgresServer } from './postgres-server.ts';
export { startPostgres } from './postgres-server.ts';
export { sharedDatabase } from './shared-database.ts';
export { projectRow, putProject, putRun, putTask, SAMPLE_PIPELINE, runRow, taskRow } from './rows.ts';
export { PERSON, makeFolder, must, runs } from './world.ts';
