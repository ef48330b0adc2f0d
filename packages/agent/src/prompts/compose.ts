import type { SystemPromptContext, ToolDefinition } from '../types/index.ts';
import { ownNameOf } from '@attractor/tool-table';
import { renderSections, type SystemTextSection } from './sections.ts';

export type SystemTextLayers = {
  readonly prompt: ReadonlyArray<SystemTextSection>;
  readonly tools: ReadonlyArray<ToolDefinition>;
  readonly context: SystemPromptContext;
};

/**
 * Five layers, in this order, without empty ones: the profile's text, the surroundings, the tools, the project's documents, the person's
 * own instructions. Pure: the same input gives the same bytes.
 */
export function composeSystemPrompt({ prompt, tools, context }: SystemTextLayers): string {
  const names = new Map(tools.map(({ name }) => [ownNameOf(name), name]));
  const layers = [
    renderSections(prompt, names),
    environmentBlock(context),
    toolList(tools),
    context.projectDocs,
    context.userInstruction ?? '',
  ];
  return layers
    .map((layer) => layer.trim())
    .filter(Boolean)
    .join('\n\n');
}

function environmentBlock(context: SystemPromptContext): string {
  const rows: ReadonlyArray<readonly [string, string | null]> = [
    ['Working directory', context.workingDirectory],
    ['Further folders', context.furtherFolders?.join(', ') ?? null],
    ['Is a git repository', context.gitBranch === null && context.gitStatus === null ? 'no' : 'yes'],
    ['Git branch', context.gitBranch],
    ['Platform', context.platform],
    ['OS version', context.osVersion],
    ['Date', context.date],
    ['Model', context.model],
    ['Limits of commands', block(context.limits ?? null)],
    ['Git status at the start', block(context.gitStatus)],
    ['Recent commits', block(context.gitLog)],
  ];
  const lines = rows.flatMap(([name, value]) => (value === null || value === '' ? [] : [`${name}: ${value}`]));
  return ['<environment>', ...lines, '</environment>'].join('\n');
}

function block(text: string | null): string | null {
  return text === null || text === '' ? null : `\n${text}`;
}

function toolList(tools: ReadonlyArray<ToolDefinition>): string {
  return tools.length === 0
    ? ''
    : ['# Tools', ...tools.map(({ name, description }) => `- ${name}: ${indented(description)}`)].join('\n');
}

function indented(description: string): string {
  return description.trim().replaceAll('\n', '\n  ');
}
