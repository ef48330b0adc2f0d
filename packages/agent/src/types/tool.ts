import type { ImagePart } from '@attractor/llm';
import type { ChangedFiles } from '@attractor/settings';
import type { Leaving } from '@attractor/system';
import type { Turn } from './turn.ts';
import type { ExecutionEnvironment } from './environment.ts';

/** What a model is told of a tool; `parameters` is a JSON Schema. */
export type ToolDefinition = {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** A plain string means success; expected failures are `{ isError: true }`, never a throw. */
export type ToolResult = {
  readonly output: string;
  readonly isError: boolean;
  /** Images for models that can see; they follow the output. */
  readonly images?: ReadonlyArray<ImagePart>;
  /** Where commands of this session start from now on, relative to the root; absent: as before. */
  readonly workingDir?: string;
};

/** What a call comes with besides its arguments. */
export type ToolContext = {
  readonly toolCallId: string;
  /** The time limit of a command if the call sets none: the session's setting, otherwise the profile's. */
  readonly commandTimeoutMs?: number;
  /** Where a command starts if the call names no folder. Absent: in the root. */
  readonly workingDir?: string;
  /** The conversation that the call is made in. */
  readonly history?: () => ReadonlyArray<Turn>;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
  /** For a call that can go on by itself: fires when nobody waits for it any more. */
  readonly leaving?: () => AbortSignal;
  /** How a command is left. Absent: it is waited for. */
  readonly left?: Leaving;
  /** Told of documents that the model gets with the result. */
  readonly onDocuments?: (documents: ReadonlyArray<LoadedDocument>) => void;
};

/**
 * A document with instructions that a model gets. `globs`: the files that it is about. `parent`: the document that imports it. `trigger`:
 * the file that was read; absent: it came with the system text.
 */
export type LoadedDocument = {
  readonly file: string;
  readonly scope: 'user' | 'project';
  readonly globs?: ReadonlyArray<string>;
  readonly parent?: string;
  readonly trigger?: string;
};

/** Runs one call. Arguments match the schema; a throw becomes an error result. */
export type ToolExecutor = (
  args: Readonly<Record<string, unknown>>,
  env: ExecutionEnvironment,
  context?: ToolContext,
) => Promise<string | ToolResult>;

/**
 * `readOnly` promises that running it changes nothing: such tools may run side by side and need no sync before.
 * `serial` tools never run beside another call of their batch: earlier calls are done, later ones wait.
 * `judgesItself` promises that everything it changes goes through the policy on its own: calling it asks nobody.
 * `refusal` formats the reason when a call is not run, for tools whose outputs have a fixed format. Absent: plain text.
 */
export type RegisteredTool = {
  readonly definition: ToolDefinition;
  readonly executor: ToolExecutor;
  readonly readOnly?: boolean;
  readonly serial?: boolean;
  readonly judgesItself?: boolean;
  /** The server whose tool it is. Absent: it is no server's. */
  readonly server?: { readonly name: string; readonly source: string };
  /** The tool was found by another agent's name for it: the arguments of a call in its own words. Absent: as they are. */
  readonly ownArguments?: (args: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** The tool without the documents that it adds to what it gives. Absent: it adds none. */
  readonly withoutDocs?: RegisteredTool;
  readonly refusal?: (reason: string) => string;
  /** What its program would be started from is not as a person trusted it. Null, or absent: nothing keeps it from starting. */
  readonly changed?: () => ChangedFiles | null;
};

/** The one mutable container here: a session has its own copy. The latest registration of a name wins. */
export type ToolRegistry = {
  readonly register: (tool: RegisteredTool) => void;
  readonly unregister: (name: string) => void;
  readonly get: (name: string) => RegisteredTool | null;
  readonly definitions: () => ReadonlyArray<ToolDefinition>;
  readonly list: () => ReadonlyArray<RegisteredTool>;
};

/** A registry that holds `initial`, in order. */
export function createToolRegistry(initial: ReadonlyArray<RegisteredTool> = []): ToolRegistry {
  const tools = new Map(initial.map((tool) => [tool.definition.name, tool]));
  return {
    register: (tool) => void tools.set(tool.definition.name, tool),
    unregister: (name) => void tools.delete(name),
    get: (name) => tools.get(name) ?? null,
    definitions: () => [...tools.values()].map((tool) => tool.definition),
    list: () => [...tools.values()],
  };
}
