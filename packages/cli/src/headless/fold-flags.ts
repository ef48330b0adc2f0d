import { defined } from '@attractor/base';
import { modelNamed } from '@attractor/llm';
import { CommandFailure, EXIT } from '@attractor/console';
import type { GivenFlags } from './flags.ts';

/** Flags that say the same as others, in other words. */
export type AliasFlags = {
  readonly dangerouslySkipPermissions?: boolean;
  readonly systemPromptFile?: string;
  readonly appendSystemPromptFile?: string;
  readonly effort?: string;
  readonly maxThinkingTokens?: string;
  readonly thinking?: string;
  readonly permissionPrompts?: 'host' | 'none';
  readonly managedSettings?: GivenFlags['settings'];
  readonly codexConfig?: string;
  readonly bare?: boolean;
  readonly safeMode?: boolean;
  readonly restricted?: boolean;
};

/** What runs commands or fetches pages. */
const RESTRICTED: ReadonlyArray<string> = ['Bash', 'WebFetch'];

/** The flags in one form, whichever words were used. */
export function foldFlags({ systemPromptFile, appendSystemPromptFile, ...flags }: GivenFlags & AliasFlags): GivenFlags {
  const { permissionPromptTool: asked, permissionPrompts, model } = flags;
  if (asked !== undefined && asked !== 'stdio' && !/^mcp__.+?__./.test(asked))
    throw new CommandFailure(
      `--permission-prompt-tool takes stdio or a tool of an MCP server, mcp__SERVER__TOOL, not ${asked}.`,
      EXIT.usage,
    );
  if (flags.systemPrompt !== undefined && systemPromptFile !== undefined)
    throw new CommandFailure(
      '--system-prompt and --system-prompt-file are two whole prompts: give one of them.',
      EXIT.usage,
    );
  const { permissionPromptTool: _asked, ...rest } = flags;
  const appended = [flags.appendSystemPrompt, appendSystemPromptFile].filter((text) => text !== undefined);
  const reasoningEffort = flags.effort ?? flags.maxThinkingTokens ?? flags.thinking;
  const isPlain = flags.bare === true || flags.safeMode === true || flags.restricted === true;
  return {
    ...rest,
    ...(isPlain ? { settingSources: [], strictMcpConfig: true } : {}),
    ...(flags.restricted === true ? { disallowedTools: [...flags.disallowedTools, ...RESTRICTED] } : {}),
    settings: [...flags.settings, ...codexSettings(flags), ...(flags.managedSettings ?? [])],
    // Nothing is tried again then, however the service is.
    config: {
      ...(flags.maxRetries === 0 ? { networkPatienceMs: 0 } : {}),
      ...flags.config,
      ...defined({ reasoningEffort }),
    },
    ...defined({
      model: model === undefined ? undefined : modelNamed(model),
      permissionPromptTool: permissionPrompts === 'none' ? undefined : asked,
      systemPrompt: flags.systemPrompt ?? systemPromptFile,
      permissionMode: flags.permissionMode ?? (flags.dangerouslySkipPermissions ? 'bypassPermissions' : undefined),
      appendSystemPrompt: appended.length === 0 ? undefined : appended.join('\n\n'),
    }),
  };
}

function codexSettings({ codexConfig: value }: AliasFlags): GivenFlags['settings'] {
  return value === undefined ? [] : [{ flag: '-c', value, scope: 'flag', form: 'codex' }];
}
