export { applyHunks } from './apply-hunks.ts';
export { describeEditProblem, type EditProblem, type EditWords } from './edit-problem.ts';
export { lineDifference } from './line-difference.ts';
export { parsePatch, type PatchOperation } from './parse.ts';
export { planEdit, type PlannedEdit } from './plan-edit.ts';
