import { defaultModel, getModelInfo, modelNamed } from './catalog/index.ts';
import type { LlmConfiguration } from './configuration.ts';
import { makerOf } from './providers/table.ts';

/** A model that is written down. `maker`: it is in a file for another agent, which asks the models of this one alone. */
export type WrittenModel = { readonly model: string; readonly maker?: string; readonly where?: string };

/** What was said about the model. `written`: all that files say, strongest first; absent: `model`. */
export type ModelSettings = {
  readonly provider?: string;
  readonly model?: string;
  readonly written?: ReadonlyArray<WrittenModel>;
};

/** `usual`: the provider that whoever wrote the line mostly means. */
export type ModelWish = {
  readonly flags: { readonly provider?: string; readonly model?: string; readonly baseUrl?: string };
  readonly settings: ModelSettings;
  readonly usual?: string | undefined;
};

/**
 * The provider to ask: the one that is named, unless the line names a model of another maker; otherwise one that has the model of the line,
 * of a file, or that is usual. Undefined: the first one that is set up.
 */
export function providerFor({ flags, settings, usual }: ModelWish, llm: LlmConfiguration): string | undefined {
  if (flags.provider !== undefined) return flags.provider;
  const ids = Object.keys(llm.providers ?? {});
  const having = (maker: string): string | undefined =>
    ids.includes(maker) ? maker : ids.find((id) => makerOf(id) === maker);
  const takesAny = (id: string): boolean =>
    defaultModel(id) === undefined || (flags.baseUrl ?? llm.providers?.[id]?.baseUrl) !== undefined;
  const named = llm.defaultProvider ?? settings.provider;
  const asked = flags.model === undefined ? undefined : makerOfModel({ model: flags.model });
  if (asked !== undefined) {
    if (named !== undefined && (makerOf(named) === asked || takesAny(named))) return named;
    const first = named ?? ids[0];
    return having(asked) ?? (first === undefined || takesAny(first) ? first : asked);
  }
  const [own, foreign] = [true, false].map((isOwn) =>
    writtenIn(settings)
      .filter(({ maker }) => (maker === undefined) === isOwn)
      .map(makerOfModel),
  );
  const makers = [...(own ?? []), usual, ...(foreign ?? [])].filter((maker) => maker !== undefined);
  return named ?? makers.map(having).find((id) => id !== undefined);
}

/** The model to ask: the one that was asked for, the environment's, a file's that the provider has, otherwise its usual one. */
export function modelFor(provider: string, { llm, ...wish }: ModelWish & { readonly llm: LlmConfiguration }) {
  const { flags, settings } = wish;
  return (
    flags.model ?? llm.providers?.[provider]?.model ?? written(provider, settings)?.model ?? defaultModel(provider)
  );
}

/** The written model that counts where this provider is asked; undefined: none does. */
export function written(provider: string, settings: ModelSettings): WrittenModel | undefined {
  return writtenIn(settings).find((one) => isOf(provider, one, settings));
}

function isOf(provider: string, one: WrittenModel, settings: ModelSettings): boolean {
  const isNamed = (settings.provider ?? provider) === provider;
  const maker = makerOfModel(one);
  if (maker === undefined) return isNamed;
  if (maker === makerOf(provider)) return true;
  return one.maker === undefined && isNamed && (settings.provider === provider || defaultModel(provider) === undefined);
}

/** `default` is what would be asked anyway. */
export function writtenIn({ written: all, model }: ModelSettings): ReadonlyArray<WrittenModel> {
  return (all ?? (model === undefined ? [] : [{ model }])).filter((one) => one.model !== 'default');
}

function makerOfModel({ model, maker }: WrittenModel): string | undefined {
  return maker ?? getModelInfo(modelNamed(model))?.provider;
}
