import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defined } from '@attractor/base';
import {
  type AgentSpec,
  CLAUDE_CODE,
  CLAUDE_SDK_VERSION,
  createClaudeCodeProvider,
  createLlmProvider,
  findClaudeSdk,
  type ProviderFactory,
} from '@attractor/executor';
import { createClient, getModelInfo, listModels, modelFor } from '@attractor/llm';
import { CommandFailure, EXIT } from '@attractor/console';
import { modelConfiguration } from '@attractor/headless';
import { requireModel } from '../require-model.ts';
import type { Environment, Settings } from '../settings.ts';
import { claudeVariables, isLoggedIn } from './claude-environment.ts';
import type { ExecFlags } from './exec-flags.ts';

export type ProviderWish = {
  readonly env: Environment;
  readonly home: string;
  readonly settings: Settings;
  readonly flags: ExecFlags;
  readonly spec: AgentSpec;
  /** The provider of the resumed session. */
  readonly owner: string | null;
};

/** `notes`: one line with the provider and the reason, if nobody chose it. */
export type ChosenProvider = { readonly provider: ProviderFactory; readonly notes: ReadonlyArray<string> };

/** The flag, otherwise the session's own, otherwise configuration, otherwise the agent's file, otherwise what is available. */
export async function chooseProvider(wish: ProviderWish): Promise<ChosenProvider> {
  const { flags, settings, spec, owner } = wish;
  const id = flags.provider ?? owner ?? settings.provider ?? spec.provider;
  if (id === undefined) return available(wish);
  // Only a person may name a module to load; an agent's description may come from a repository.
  const isOfPerson = id === (flags.provider ?? settings.provider);
  const provider =
    isOfPerson && isModule(id) ? await loadProvider(id) : id === CLAUDE_CODE ? claudeCode(wish) : model(wish, id);
  return { provider, notes: [] };
}

function available(wish: ProviderWish): ChosenProvider {
  const { env, flags } = wish;
  const isModelMeant = flags.baseUrl !== undefined || flags.model !== undefined;
  if (!isModelMeant && findClaudeSdk(sdkFolders(wish)) !== null && isLoggedIn(env))
    return { provider: claudeCode(wish), notes: [`provider: ${CLAUDE_CODE} (its SDK and a login are here)`] };
  const provider = model(wish, undefined);
  return { provider, notes: [`provider: ${provider.id} (its key is set)`] };
}

function model({ env, home, settings, flags, spec }: ProviderWish, id: string | undefined): ProviderFactory {
  const wanted = id === undefined ? flags : { ...flags, provider: id };
  const configuration = modelConfiguration({ env, settings, flags: wanted });
  const provider = requireModel(configuration, home);
  const own = flags.model ?? specModel(spec, provider);
  const name = own ?? modelFor(provider, { flags, llm: configuration, settings });
  if (name === undefined)
    throw new CommandFailure(`no model is known for ${provider}: name one with --model.`, EXIT.usage);
  return createLlmProvider({ id: provider, model: name, client: createClient({ configuration }) });
}

/** An alias such as `sonnet` only names a model of its own family; another provider uses its default. */
function specModel({ model: asked }: AgentSpec, provider: string): string | undefined {
  if (asked === undefined) return undefined;
  if (!ALIASES.has(asked)) return asked;
  if (getModelInfo(asked) !== undefined) return asked;
  return listModels(provider).find(({ id }) => id.includes(asked))?.id;
}

const ALIASES: ReadonlySet<string> = new Set(['sonnet', 'opus', 'haiku']);

function claudeCode(wish: ProviderWish): ProviderFactory {
  const folders = sdkFolders(wish);
  if (findClaudeSdk(folders) === null)
    throw new CommandFailure(
      `claude-code needs the Claude Agent SDK, which is not installed. Install it with: npm install --ignore-scripts --prefix ${folders[0]} @anthropic-ai/claude-agent-sdk@${CLAUDE_SDK_VERSION}`,
      EXIT.notFound,
    );
  const { model: named, baseUrl } = wish.flags;
  const asked = named ?? wish.spec.model;
  const env = { ...claudeVariables(wish.env), ...defined({ ANTHROPIC_BASE_URL: baseUrl }) };
  return createClaudeCodeProvider({ sdkFolders: folders, env, ...defined({ model: asked }) });
}

function sdkFolders({ home, flags }: ProviderWish): readonly [string, ...ReadonlyArray<string>] {
  const own = join(home, 'cache', 'claude-agent-sdk');
  return flags.claudeSdk === undefined ? [own] : [resolve(flags.claudeSdk), own];
}

function isModule(id: string): boolean {
  return id.startsWith('./') || id.startsWith('../') || isAbsolute(id);
}

/** A person's own provider: a module whose default export is one. */
async function loadProvider(id: string): Promise<ProviderFactory> {
  const file = resolve(id);
  if (!existsSync(file)) throw new CommandFailure(`there is no provider ${file}.`, EXIT.notFound);
  const loaded: { readonly default?: unknown } = await import(pathToFileURL(file).href);
  if (isFactory(loaded.default)) return loaded.default;
  throw new CommandFailure(`${file}: expected a default export { id, open } that is a provider.`, EXIT.refused);
}

function isFactory(value: unknown): value is ProviderFactory {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'open' in value &&
    typeof value.open === 'function'
  );
}
