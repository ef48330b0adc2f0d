import type { Channel } from '../channel.ts';
import type { ChannelField, ChannelKind, ChannelPlace } from '../channel-kind.ts';
import { DESKTOP } from './desktop.ts';
import { SLACK } from './slack.ts';
import { TELEGRAM } from './telegram.ts';
import { WEBHOOK } from './webhook.ts';

/** Every kind of channel: a file, and a row here. */
const KINDS = { desktop: DESKTOP, webhook: WEBHOOK, slack: SLACK, telegram: TELEGRAM };

/** The stored settings of a channel besides the common ones. */
export type OwnSettings = Exclude<ReturnType<(typeof KINDS)[keyof typeof KINDS]['read']>, string>;

const BY_TYPE: Readonly<Record<OwnSettings['type'], ChannelKind<OwnSettings>>> = KINDS;

/** A kind of channel, as a form shows it. */
export type ChannelForm = {
  readonly type: string;
  readonly name: string;
  readonly fields: ReadonlyArray<ChannelField>;
};

/** A flag, its help text, and the field of the settings that it fills. */
type FieldFlag = { readonly flag: string; readonly field: string; readonly about: string };

/** In the order in which people see them. */
export const CHANNEL_TYPES: ReadonlyArray<string> = Object.keys(KINDS);

/** Their names for people. */
export const CHANNEL_NAMES: ReadonlyArray<string> = Object.values(KINDS).map(({ name }) => name);

/** What a form of each kind asks for. */
export const CHANNEL_FORMS: ReadonlyArray<ChannelForm> = Object.entries(BY_TYPE).map(([type, { name, fields }]) => ({
  type,
  name,
  fields,
}));

/** The flags of all kinds, each once. */
export const CHANNEL_FLAGS: ReadonlyArray<FieldFlag> = flagsOf(Object.values(BY_TYPE));

/** Null: there is no such kind. */
export function readOwnSettings(given: Readonly<Record<string, unknown>>): OwnSettings | string | null {
  const known = Object.entries(BY_TYPE).find(([type]) => type === String(given['type']));
  return known === undefined ? null : known[1].read(given);
}

export function createChannel(own: OwnSettings, place: ChannelPlace): Channel {
  return BY_TYPE[own.type].create(own, place);
}

export function kindOf(own: OwnSettings): ChannelKind<OwnSettings> {
  return BY_TYPE[own.type];
}

/** A flag that several kinds share names all of them: `where a webhook or Slack is reached`. */
export function flagsOf(kinds: ReadonlyArray<Pick<ChannelKind<OwnSettings>, 'flags'>>): ReadonlyArray<FieldFlag> {
  const byFlag = Map.groupBy(
    kinds.flatMap(({ flags }) => flags),
    ({ flag }) => flag,
  );
  return [...byFlag.values()].flatMap((same) => {
    const whose = same
      .map((one) => one.whose)
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1');
    return same.slice(0, 1).map(({ flag, field, about }) => ({ flag, field, about: about.replace('…', whose) }));
  });
}
