import { makerOf, type ModelSettings, written, writtenIn } from '@attractor/llm';

type Asked = {
  readonly flags: { readonly provider?: string; readonly model?: string; readonly usualProvider?: string };
  readonly settings: ModelSettings;
  readonly provider: string;
  readonly model: string | undefined;
};

/** For the person: which model a line of another agent asks if it names none, and models that are written down and not asked. */
export function modelNotes({ flags, settings, provider, model = 'its usual model' }: Asked): ReadonlyArray<string> {
  if (flags.provider !== undefined) return [];
  const isNamed = settings.provider === provider;
  if (flags.model !== undefined)
    return isNamed && flags.usualProvider !== undefined && flags.usualProvider !== makerOf(provider)
      ? [`${flags.model} is asked of ${provider}, the provider that is configured.`]
      : [];
  const taken = written(provider, settings);
  const all = writtenIn(settings);
  const stronger = all.slice(0, taken === undefined ? all.length : all.indexOf(taken));
  const by = taken?.model === model ? taken.where : isNamed ? 'the provider that is configured' : undefined;
  if (flags.usualProvider !== undefined)
    return [`No model is named: ${provider} is asked for ${model} (${by ?? 'no file names one'}).`];
  // What is for another agent's models alone does not count beside one that does.
  return stronger
    .filter(({ maker }) => taken === undefined || maker === undefined)
    .map(
      (one) =>
        `${one.where ?? 'settings'}: "model": ${one.model} is not asked: ${provider} is, which does not have it.`,
    );
}
