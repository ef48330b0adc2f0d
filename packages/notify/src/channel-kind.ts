import type { Channel } from './channel.ts';

export type ChannelPlace = { readonly env: Readonly<Record<string, string | undefined>> };

/**
 * A flag of `channels add` that fills one field of the channel's settings. Channel kinds may share it; `whose` stands for the dots in
 * `about`.
 */
export type ChannelFlag = {
  readonly flag: string;
  readonly field: string;
  readonly about: `${string}…${string}`;
  readonly whose: string;
};

/** A field of the channel's settings, for whoever fills in a form. */
export type ChannelField = {
  readonly field: string;
  readonly label: string;
  /** Nobody looks over a shoulder: it is not shown while it is typed. */
  readonly isSecret?: true;
  readonly isOptional?: true;
};

/** Everything about one kind of channel. `Own` is its stored settings, secrets included. */
export type ChannelKind<Own extends { readonly type: string }> = {
  /** Its name for people. */
  readonly name: string;
  readonly flags: ReadonlyArray<ChannelFlag>;
  readonly fields: ReadonlyArray<ChannelField>;
  /** Its own settings from a person or a file, or what is wrong with them. */
  read(given: Readonly<Record<string, unknown>>): Own | string;
  create(own: Own, place: ChannelPlace): Channel;
  /** How a person recognises it; the rest of an address may be secret. */
  target(own: Own): string;
  /** Every value of it that nobody else may see. */
  secrets(own: Own): ReadonlyArray<string>;
  /** Fields that stay when others are changed: changing the quiet hours does not require the secret. */
  readonly kept: ReadonlyArray<string>;
  /** A secret that may have been generated for the receiver, who is then shown it once. */
  shownOnce?(own: Own): string;
};

/** The flag of channel kinds that are reached at an address. */
export function addressFlag(whose: string): ChannelFlag {
  return { flag: '--url <url>', field: 'url', about: 'where … is reached', whose };
}

export const NEEDS_URL = '"url" must be an address that begins with http:// or https://.';

export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}
