import { countPrompts, findPrompt, listPrompts, refuseOnDatabaseError, type Store } from '@attractor/store';
import { answerPrompt } from './prompts.ts';
import type { PromptCommands } from './contract.ts';

export function createPromptCommands({
  store,
  defaultAgentType,
}: {
  readonly store: Store;
  readonly defaultAgentType: string;
}): PromptCommands {
  const { read } = store;
  return {
    listPrompts: (filter = {}) => listPrompts(read, filter),
    countPrompts: (filter) => countPrompts(read, filter),
    getPrompt: (id) => findPrompt(read, id),
    answerPrompt: (input, actor) =>
      refuseOnDatabaseError(() => answerPrompt(store, input, { actor, defaultAgentType })),
  };
}
