import type { FileToolName } from '../file-tools/definitions.ts';

/**
 * An agent as its markdown file describes it. `systemPrompt` and `name` are never empty. The text from the first `##` on is
 * `instructions`, which go into the first message. Absent `tools`: all six.
 */
export type AgentSpec = {
  readonly name: string;
  readonly systemPrompt: string;
  readonly instructions: string;
  readonly path: string;
  readonly description?: string;
  readonly tools?: ReadonlyArray<FileToolName>;
  readonly model?: string;
  readonly provider?: string;
  readonly permissionMode?: string;
  readonly maxTurns?: number;
  readonly initialPrompt?: string;
  /** Fields and values of the head that we do not obey, one entry each. */
  readonly ignored: ReadonlyArray<string>;
};

/** The fields that the head of a file can set. */
export type SpecHead = Omit<AgentSpec, 'name' | 'systemPrompt' | 'instructions' | 'path'> & { readonly name?: string };
