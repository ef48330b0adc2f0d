export { bashWord } from './children/bash-word.ts';
export { createCapture, type Capture } from './children/capture.ts';
export {
  askToEnd,
  askToEndBy,
  exitCodeOf,
  signalGroup,
  signalOf,
  superviseChild,
  type ChildOutcome,
  type Leaving,
  type LeftChild,
  type SupervisedChild,
} from './children/child.ts';
export { createSpool, SPOOL_PREFIX, type Spool, type SpoolOptions } from './children/spool.ts';
export { describeKept, keepOutputs, type KeptOutputs } from './children/kept-outputs.ts';
export { createProgress, type OutputReport } from './children/progress.ts';
export { type MoreOutput, sayMeanwhile } from './children/say-meanwhile.ts';
export { startProgram, startProgramsElsewhere } from './children/start-elsewhere.ts';
export {
  COMMAND_MARK,
  endSurvivors,
  endSurvivorsOfAll,
  endSurvivorsSoon,
  isOrphaned,
  markOf,
  ownMark,
  type Survivor,
} from './children/survivors.ts';
export { codeOf, realDisk, removeQuietly, writeAll, type Disk } from './disk/disk.ts';
export { gb, GB, LEAST_FREE, saysNoRoom, whyNoRoom, whyNotWritable } from './disk/disk-room.ts';
export { writeDurably } from './disk/durable-file.ts';
export { EnvironmentError, type EnvironmentErrorCode } from './environment-error.ts';
export { chosenVariables, type VariableChoice } from './chosen-variables.ts';
export {
  AGENT_VARIABLES,
  childVariables,
  hostVariables,
  withOwn,
  type EnvVarPolicy,
  type Variables,
} from './environment-variables.ts';
export { environmentError, isMissing } from './errno.ts';
export { lockFiles, lockFolder, lockKey, lockIfFree, type LockedFiles } from './locks/file-lock.ts';
export { LockHeld } from './locks/lock-held.ts';
export { acquireLock, holderOf, type Lock } from './locks/lock.ts';
export { fateOf, identityOf, ownIdentity, type ProcessIdentity } from './locks/process-identity.ts';
export { giveHeapBack, keepHeapSmall } from './small-heap.ts';
export { endLeftover, nameProcess, signalTree } from './process-tree.ts';
export { steeringOf, type Steering } from './steering-variables.ts';
export { truncateChars, type TruncationMode } from './truncate-chars.ts';
