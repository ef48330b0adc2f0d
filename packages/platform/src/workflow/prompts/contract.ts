import type { Actor, GivenAnswer, Prompt, PromptFilter, Result } from '@attractor/store';

export type PromptCommands = {
  /** The oldest first. */
  readonly listPrompts: (filter?: PromptFilter & { readonly limit?: number }) => Promise<ReadonlyArray<Prompt>>;
  readonly countPrompts: (filter: PromptFilter) => Promise<number>;
  readonly getPrompt: (id: string) => Promise<Prompt | null>;
  readonly answerPrompt: (
    input: { readonly promptId: string; readonly contentHash?: string; readonly answer: GivenAnswer },
    actor: Actor,
  ) => Promise<Result<Prompt>>;
};
