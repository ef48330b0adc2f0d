import { describeWorkflow } from '../test-support/workflow-contract.ts';
import { makeFolder, openedHome } from '@attractor/store/testing';

describeWorkflow('SQLite', async () => ({ home: await openedHome(makeFolder()) }));
