import type { ProfileId } from '@attractor/agent';
import type { McpServerDefinition } from '@attractor/mcp';
import type { PermissionMode } from '@attractor/policy';
import type { ServiceWishes } from './service-wishes.ts';

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** What a person or a program chooses for one run. */
export type HeadlessOptions = ServiceWishes & {
  readonly outputFormat: OutputFormat;
  readonly inputFormat: 'text' | 'stream-json';
  readonly includePartialMessages?: boolean;
  readonly profile?: ProfileId;
  /** What the session is called in lists. */
  readonly name?: string;
  readonly maxTurns?: number;
  /** The session is a copy of an earlier one. */
  readonly forkSession?: boolean;
  readonly maxBudgetUsd?: number;
  readonly permissionMode: PermissionMode;
  /** The run may switch to `bypassPermissions` later. */
  readonly allowDangerouslySkipPermissions?: boolean;
  /** Setup hooks are called before the session starts. */
  readonly init?: boolean;
  /** Every step is told on stderr, or written to the file. */
  readonly debug?: boolean | string;
  readonly debugFile?: string;
  /** The hooks of a start are called, and nothing else is done. */
  readonly initOnly?: boolean;
  readonly maintenance?: boolean;
  /** Who answers in a person's place: `stdio` the program at the other end, otherwise a tool of a server. Absent: nobody. */
  readonly permissionPromptTool?: string;
  /** After each answer, what the person may say next. */
  readonly promptSuggestions?: boolean;
  readonly mcp: ReadonlyArray<McpServerDefinition>;
  /** Name → entry, as written. */
  readonly mcpConfig: Readonly<Record<string, unknown>>;
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** Each prompt of stdin is also written to stdout, with the id under which files can be taken back to before it. */
  readonly replayUserMessages?: boolean;
  /** The agent whose prompt, tools and model the session has. */
  readonly agent?: string;
  /** Absent: the agent's, or the provider's default. */
  readonly model?: string;
  /** Types of agents by name, as JSON. */
  readonly agents?: Readonly<Record<string, unknown>>;
  /** The only built-in tools. Absent: all. */
  readonly tools?: ReadonlyArray<string>;
  /** The models to ask while the first is overloaded, in order. */
  readonly fallbackModel?: ReadonlyArray<string>;
  readonly config: Readonly<Record<string, unknown>>;
};
