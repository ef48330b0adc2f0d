import { describeWorkflow } from '../test-support/workflow-contract.ts';
import { makeFolder } from '@attractor/store/testing';

describeWorkflow('SQLite', async () => ({ home: makeFolder() }));
