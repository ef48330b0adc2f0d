import type { ProfileId, ProviderProfile } from '../types/index.ts';
import { createAnthropicProfile } from './anthropic.ts';
import { createGeminiProfile } from './gemini.ts';
import { createOpenAiProfile } from './openai.ts';
import type { ProfileOptions } from './ports.ts';

const PROFILES: Readonly<Record<ProfileId, (options: ProfileOptions) => ProviderProfile>> = {
  anthropic: createAnthropicProfile,
  openai: createOpenAiProfile,
  gemini: createGeminiProfile,
};

/** In the order in which people see them. */
export const PROFILE_IDS = Object.keys(PROFILES) as ReadonlyArray<ProfileId>;

/** Providers whose models are all of one family. */
const BY_PROVIDER: ReadonlyMap<string, ProfileId> = new Map([
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['gemini', 'gemini'],
  ['vertex', 'gemini'],
  ['vertex-anthropic', 'anthropic'],
  ['azure', 'openai'],
]);

/** If a provider serves models of many makers, the model's name shows its family, whatever prefix it has. */
const BY_MODEL: ReadonlyArray<readonly [RegExp, ProfileId]> = [
  [/claude/i, 'anthropic'],
  [/(?:^|\/)(?:gpt-|chatgpt-|codex|o\d)/i, 'openai'],
  [/gemini/i, 'gemini'],
];

/** Exact string edits need no special training, so models of other makers do best with them. */
const OTHERWISE: ProfileId = 'anthropic';

/** A new profile with its own registry. */
export function createProfile(wanted: ProfileId | ({ readonly id: ProfileId } & ProfileOptions)): ProviderProfile {
  return typeof wanted === 'string' ? PROFILES[wanted]({}) : PROFILES[wanted.id](wanted);
}

/** The profile for a provider's models. The model's name is used if the provider alone does not decide. */
export function profileFor(provider: string, model = '', options: ProfileOptions = {}): ProviderProfile {
  return createProfile({ id: familyOf(provider, model), ...options });
}

/** Whose models these are. */
export function familyOf(provider: string, model = ''): ProfileId {
  return BY_PROVIDER.get(provider) ?? BY_MODEL.find(([pattern]) => pattern.test(model))?.[1] ?? OTHERWISE;
}
