export { policyOf, type Lists } from '../test-support/rules.ts';
export { CALLS, RULES, judgeByHand, type SmallCall, type SmallState } from '../test-support/small-world.ts';
