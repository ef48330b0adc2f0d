import { afterAll } from 'vitest';
import { type PostgresServer, startPostgres } from '@attractor/store/testing';
import { describeWorkflow } from '../test-support/workflow-contract.ts';

const server: PostgresServer = await startPostgres();
afterAll(() => server.stop());

describeWorkflow('PostgreSQL', async () => ({ databaseUrl: await server.database() }), 0.2);
