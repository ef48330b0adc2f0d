export { describeAgent } from './agent-contract.ts';
export { describeForeignAgent, type ForeignBehaviour } from './foreign-contract.ts';
export { scriptedProgram } from './scripted-program.ts';
export { makeRun } from './world.ts';
