export { isCancelled } from './is-cancelled.ts';
export { type AgentRunMode, EFFORTS, PERMISSION_MODES, RUN_MODES } from './run-choices.ts';
export { covers, lesserRole, ROLES, type Role } from './roles.ts';
export { RUN_DEFAULTS } from './run-defaults.ts';
export { SAMPLE_FIX, SAMPLE_TASK } from './sample-fix.ts';
export { SESSION_STAGES, type SessionStage } from './session-stages.ts';
export {
  COMPLEXITIES,
  fieldsFor,
  isList,
  PRIORITIES,
  SIZES,
  storedFields,
  TASK_FIELDS,
  type FieldPlace,
  type TaskField,
} from './task-fields.ts';
export type {
  Complexity,
  NewTaskFields,
  Priority,
  Size,
  StoredTaskFields,
  TaskEditFields,
  TaskFieldColumns,
  TemplateFields,
} from './task-types.ts';
