import type { Channel } from './channel.ts';

export type ChannelPlace = { readonly env: Readonly<Record<string, string | undefined>> };

/** A flag of `channels add` that fills one field of the channel's settings. Kinds may share it; `whose` stands for the dots in `about`. */
export type ChannelFlag = {
  readonly flag: string;
  readonly field: string;
  readonly about: `${string}…${string}`;
  readonly whose: string;
};

/** All there is to know of one kind of channel. `Own` is what is kept of its own settings, secrets included. */
export type ChannelKind<Own extends { readonly type: string }> = {
  /** As people call it. */
  readonly name: string;
  readonly flags: ReadonlyArray<ChannelFlag>;
  /** From a person or a file: its own settings, or what is wrong with them. */
  read(given: Readonly<Record<string, unknown>>): Own | string;
  create(own: Own, place: ChannelPlace): Channel;
  /** What a person recognises it by; the rest of an address may be its secret. */
  target(own: Own): string;
  /** Every text of it that nobody else may see. */
  secrets(own: Own): ReadonlyArray<string>;
  /** Fields that stay as they are when others are changed: who changes its hours need not know its secret. */
  readonly kept: ReadonlyArray<string>;
  /** A secret that may have been made for the receiver, who is then shown it once. */
  shownOnce?(own: Own): string;
};

/** The flag of kinds that are reached at an address. */
export function addressFlag(whose: string): ChannelFlag {
  return { flag: '--url <url>', field: 'url', about: 'where … is reached', whose };
}

export const NEEDS_URL = '"url" must be an address that begins with http:// or https://.';

export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}
