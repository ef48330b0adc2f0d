import type { ToolDefinition, TruncationConfig } from '@attractor/agent';
import type { ToolName } from '@attractor/tool-table';

export type FileToolName = 'file.read' | 'file.write' | 'file.patch' | 'file.delete' | 'file.list' | 'file.search';

const text = (description: string): object => ({ type: 'string', description });
const number = (description: string): object => ({ type: 'number', description });

type Definition = ToolDefinition & {
  readonly name: FileToolName;
  readonly readOnly: boolean;
  /** The agent's tool whose permission rules apply to this one. */
  readonly judgedAs: ToolName;
  /** The agent's tools that this one replaces: asking for any of them, by any of its names, gives this one. */
  readonly insteadOf: ReadonlyArray<ToolName>;
};

/** The six tools under their public names, with the schemas that every transport shows. */
export const FILE_TOOLS: ReadonlyArray<Definition> = [
  {
    name: 'file.read',
    description: 'Read a file from the workspace, with line numbers',
    readOnly: true,
    judgedAs: 'read_file',
    insteadOf: ['read_file'],
    parameters: {
      type: 'object',
      properties: {
        path: text('Path relative to workspace'),
        offset: number('Lines to skip before the first one shown (optional, default: 0)'),
        limit: number('Max lines to read (optional)'),
      },
      required: ['path'],
    },
  },
  {
    name: 'file.write',
    description: 'Write content to a file in the workspace, making missing folders',
    readOnly: false,
    judgedAs: 'write_file',
    insteadOf: ['write_file'],
    parameters: {
      type: 'object',
      properties: { path: text('Path relative to workspace'), content: text('Content to write') },
      required: ['path', 'content'],
    },
  },
  {
    name: 'file.patch',
    description: 'Apply find/replace patches to a file: all of them or none. Each find must occur exactly once',
    readOnly: false,
    judgedAs: 'edit_file',
    insteadOf: ['edit_file', 'multi_edit'],
    parameters: {
      type: 'object',
      properties: {
        path: text('Path relative to workspace'),
        patches: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              find: { type: 'string' },
              replace: { type: 'string' },
              startLine: number('Look only from this line on, counted from 1; a find that begins on it is meant'),
            },
            required: ['find', 'replace'],
          },
        },
      },
      required: ['path', 'patches'],
    },
  },
  {
    name: 'file.delete',
    description: 'Delete a file from the workspace',
    readOnly: false,
    judgedAs: 'write_file',
    insteadOf: [],
    parameters: { type: 'object', properties: { path: text('Path relative to workspace') }, required: ['path'] },
  },
  {
    name: 'file.list',
    description: 'List files in a directory',
    readOnly: true,
    judgedAs: 'list_dir',
    insteadOf: ['list_dir', 'glob'],
    parameters: {
      type: 'object',
      properties: {
        path: text('Directory path (default: workspace root)'),
        pattern: text('Glob pattern to filter files, for example "**/*.ts"'),
      },
    },
  },
  {
    name: 'file.search',
    description: 'Search for a pattern in files using ripgrep',
    readOnly: true,
    judgedAs: 'grep',
    insteadOf: ['grep'],
    parameters: {
      type: 'object',
      properties: {
        pattern: text('Search pattern (regex)'),
        path: text('Directory to search (default: workspace root)'),
        glob: text('File glob pattern'),
        caseSensitive: { type: 'boolean', description: 'Case sensitive search (default: true)' },
        contextLines: number('Lines of context around matches'),
        maxResults: number('Maximum results (default: 100)'),
      },
      required: ['pattern'],
    },
  },
];

/** How much of a tool's output the model gets. The journal keeps all of it. */
export const OUTPUT_LIMITS: TruncationConfig = {
  toolOutputLimits: { 'file.read': 60_000, 'file.search': 40_000, 'file.list': 40_000 },
};

/** Providers refuse dots in tool names, so `file.read` is sent as `file_read`. */
export function wireName(name: string): string {
  return name.replaceAll('.', '_');
}

/** The public name for either spelling; null if it is none of the six. */
export function publicName(name: string): FileToolName | null {
  return FILE_TOOLS.find((tool) => tool.name === name || wireName(tool.name) === name)?.name ?? null;
}
