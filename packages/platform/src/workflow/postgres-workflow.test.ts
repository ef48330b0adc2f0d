import { openedDatabase } from '../test-support/opened-database.ts';
import { describeWorkflow } from '../test-support/workflow-contract.ts';

describeWorkflow('PostgreSQL', async () => ({ databaseUrl: await openedDatabase() }), 0.2);
