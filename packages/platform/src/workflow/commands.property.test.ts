import { describeWorkflow } from '../test-support/workflow-contract.ts';
import { makeFolder } from '../test-support/world.ts';

describeWorkflow('SQLite', async () => ({ home: makeFolder() }));
