import type { Actor, GivenAnswer, Prompt, Result } from '@attractor/store';

export type PromptCommands = {
  readonly listPrompts: (filter?: {
    readonly taskId?: string;
    readonly projectIds?: ReadonlyArray<string>;
    readonly status?: Prompt['status'];
  }) => Promise<ReadonlyArray<Prompt>>;
  readonly getPrompt: (id: string) => Promise<Prompt | null>;
  readonly answerPrompt: (
    input: { readonly promptId: string; readonly contentHash?: string; readonly answer: GivenAnswer },
    actor: Actor,
  ) => Promise<Result<Prompt>>;
};
