export { applyHunks } from './apply-hunks.ts';
export { describeEditProblem, type EditProblem, type EditWords } from './edit-problem.ts';
export { parsePatch, type PatchOperation } from './parse.ts';
export { planEdit, type PlannedEdit } from './plan-edit.ts';
