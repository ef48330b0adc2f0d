import { sharedDatabase } from '@attractor/store/testing';
import { describeWorkflow } from '../test-support/workflow-contract.ts';

describeWorkflow('PostgreSQL', async () => ({ databaseUrl: await sharedDatabase() }), 0.2);
