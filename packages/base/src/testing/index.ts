export { bundledProgram } from '../test-support/bundled-program.ts';
export { compileCache } from '../test-support/compile-cache.ts';
export { makeFolder } from '../test-support/folder.ts';
export { makeMemoryFolder } from '../test-support/memory-folder.ts';
export { gone, isRunning } from '../test-support/processes.ts';
export { runs } from '../test-support/runs.ts';
export { exactSnapshot } from '../test-support/snapshot.ts';
export { until } from '../test-support/until.ts';
export { casesOf, type ContractCase } from './contract-case.ts';
