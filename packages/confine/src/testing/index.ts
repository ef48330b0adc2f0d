export { JOIN, createControlGroups, type ControlGroups, parentGroup } from '../sandbox/control-groups.ts';
export { without } from '../sandbox/find-sandbox.ts';
export { preparationText } from '../sandbox/launch-text.ts';
export { openGate } from '../sandbox/network/gate.ts';
export { createHostJudge } from '../sandbox/network/judge-host.ts';
export { makePrivateFolder } from '../sandbox/private-folder.ts';
export { buildPathCase, OTHER_OPERATIONS, pathCases, type PathCase, type PathWorld } from './path-cases.ts';
export { createProcessBound } from '../sandbox/process-bound.ts';
export { systemCallFilter } from '../sandbox/system-calls.ts';
export {
  canTrace,
  traceCommands,
  type Traced,
  type TracedBox,
  type TracedCall,
} from '../test-support/traced-commands.ts';
