import type { NewSubtask, PromptAnswer, PromptPayload } from '@attractor/store';

/** What a person approved: their own list, some of the proposed subtasks, or all. */
export function chosenSubtasks(
  { subtasks }: PromptPayload['split_proposal'],
  { subtasks: edited, only }: PromptAnswer,
): ReadonlyArray<NewSubtask> {
  if (edited !== undefined) return edited;
  return only === undefined ? subtasks : subtasks.filter(({ name }) => only.includes(name));
}
