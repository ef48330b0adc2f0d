export { adaptCommand } from '../test-support/adapt-command.ts';
export { diceOf } from '../test-support/dice.ts';
export { fillProject } from '../test-support/found-project.ts';
export { isCandidate, onlyReads } from '../test-support/only-reads.ts';
export { policyOf, type Lists } from '../test-support/rules.ts';
export { CALLS, RULES, judgeByHand, type SmallCall, type SmallState } from '../test-support/small-world.ts';
