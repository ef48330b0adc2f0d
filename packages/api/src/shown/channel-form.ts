import type { NotifyView } from '@attractor/platform';

type Kind = NotifyView['kinds'][number];
type Values = Readonly<Record<string, string>>;

/** What the server takes; a field that was left empty is left out. */
export function channelBody({ type, fields }: Kind, name: string, values: Values) {
  const given = fields.flatMap(({ field }) => {
    const value = values[field]?.trim() ?? '';
    return value === '' ? [] : [[field, value] as const];
  });
  return { name: name.trim(), channel: { type, ...Object.fromEntries(given) } };
}

export function isMissingIn({ fields }: Kind, name: string, values: Values): boolean {
  const isEmpty = (value: string | undefined) => value === undefined || value.trim() === '';
  return isEmpty(name) || fields.some(({ field, isOptional }) => isOptional !== true && isEmpty(values[field]));
}
