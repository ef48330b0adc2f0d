/**
 * What a scripted agent does, as data. Steps run in order; a recorded step is not run again. A step that changes files can be repeated: if
 * the result exists already, it does nothing.
 */
export type ScriptStep =
  | { readonly do: 'output'; readonly text: string }
  | { readonly do: 'thinking'; readonly text: string }
  | { readonly do: 'createFile'; readonly path: string; readonly content: string }
  | { readonly do: 'modifyFile'; readonly path: string; readonly find: string; readonly replace: string }
  | { readonly do: 'deleteFile'; readonly path: string }
  | { readonly do: 'commit'; readonly message: string }
  | { readonly do: 'askHuman'; readonly toolName: string; readonly input: Readonly<Record<string, unknown>> }
  | {
      readonly do: 'usage';
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly costUsd: number | null;
    }
  | { readonly do: 'outcome'; readonly outcome: string; readonly payload?: unknown }
  | { readonly do: 'error'; readonly message: string; readonly retryable?: boolean }
  | { readonly do: 'delay'; readonly ms: number }
  /** Works until it is stopped. */
  | { readonly do: 'hang' };

/** `when` chooses the first script that matches the run; `replies` answer further inputs by their key, and people's messages as `message`. */
export type Script = {
  readonly when?: { readonly outcome?: string; readonly promptIncludes?: string };
  readonly steps: ReadonlyArray<ScriptStep>;
  readonly replies?: Readonly<Record<string, ReadonlyArray<ScriptStep>>>;
};

export function chooseScript(
  scripts: ReadonlyArray<Script>,
  run: { readonly prompt: string; readonly outcomes: ReadonlyArray<{ readonly outcome: string }> },
): Script | null {
  const fits = ({ when = {} }: Script): boolean =>
    (when.outcome === undefined || run.outcomes.some(({ outcome }) => outcome === when.outcome)) &&
    (when.promptIncludes === undefined || run.prompt.includes(when.promptIncludes));
  return scripts.find(fits) ?? null;
}
