import { randomBytes } from 'node:crypto';
import { done, isRecord } from '@attractor/base';
import { NOTIFICATION_TYPES, type NotificationType, refuse, type Result } from '@attractor/store';
import { TELEGRAM_URL } from './channels/telegram.ts';
import { judgeQuietHours, type QuietHours } from './quiet-hours.ts';

/** What holds for every channel: whether it is used, for what, and when it is silent. */
type Common = {
  readonly enabled: boolean;
  /** Only what differs from the default: everything but changes of status. */
  readonly types: Readonly<Partial<Record<NotificationType, boolean>>>;
  /** `inherit`: those of the person. */
  readonly quietHours: QuietHours | 'inherit' | 'none';
};

/** A channel as it is kept, secrets included: only ever in the person's own file. */
export type ChannelSettings = Common &
  (
    | { readonly type: 'desktop'; readonly program?: string }
    | { readonly type: 'webhook'; readonly url: string; readonly secret: string }
    | { readonly type: 'slack'; readonly url: string }
    | { readonly type: 'telegram'; readonly token: string; readonly chatId: string; readonly baseUrl: string }
  );

const OFF_BY_DEFAULT: ReadonlySet<NotificationType> = new Set<NotificationType>(['task.status_changed']);

export function isWanted(settings: Pick<ChannelSettings, 'enabled' | 'types'>, type: NotificationType): boolean {
  return settings.enabled && (settings.types[type] ?? !OFF_BY_DEFAULT.has(type));
}

type Fields = Readonly<Record<string, unknown>>;

/** From a person or a file; says what is wrong and what would be right. A webhook without a secret gets one. */
export function readChannelSettings(name: string, value: unknown): Result<ChannelSettings> {
  if (!/^[\w-]{1,40}$/.test(name))
    return refuse('invalid', `"${name}" is no name for a channel: use letters, digits, - and _, at most 40.`);
  if (!isRecord(value)) return refuse('invalid', `The channel ${name} must be a JSON object.`);
  const reader = READERS[String(value['type'])];
  if (reader === undefined)
    return refuse('invalid', `The channel ${name} needs a type: one of ${Object.keys(READERS).join(', ')}.`);
  const own = reader(value);
  if (typeof own === 'string') return refuse('invalid', `The channel ${name}: ${own}`);
  const common = readCommon(name, value);
  return common.ok ? done({ ...own, ...common.value }) : common;
}

type Reading = ChannelSettings extends infer Each
  ? Each extends ChannelSettings
    ? Omit<Each, keyof Common>
    : never
  : never;

/** The channel's own fields, or what is wrong with them. */
const READERS: Readonly<Record<string, (value: Fields) => Reading | string>> = {
  desktop: ({ program }) => {
    if (program === undefined) return { type: 'desktop' };
    if (typeof program !== 'string' || !program.startsWith('/')) return '"program" must be the full path of a program.';
    return { type: 'desktop', program };
  },
  webhook: ({ url, secret }) => {
    if (!isAddress(url)) return NEEDS_URL;
    if (secret !== undefined && (typeof secret !== 'string' || secret.length < 16))
      return '"secret" must have at least 16 characters; leave it out, and one is made.';
    return { type: 'webhook', url, secret: secret ?? randomBytes(32).toString('base64url') };
  },
  slack: ({ url }) => (isAddress(url) ? { type: 'slack', url } : NEEDS_URL),
  telegram: ({ token, chatId, baseUrl = TELEGRAM_URL }) => {
    if (typeof token !== 'string' || !/^[\w:-]{8,200}$/.test(token)) return '"token" must be the token of the bot.';
    if (typeof chatId !== 'string' && typeof chatId !== 'number') return '"chatId" must be the id of the chat.';
    if (!isAddress(baseUrl)) return '"baseUrl" must be an address that begins with http:// or https://.';
    return { type: 'telegram', token, chatId: String(chatId), baseUrl };
  },
} satisfies Readonly<Record<ChannelSettings['type'], (value: Fields) => Reading | string>>;

const NEEDS_URL = '"url" must be an address that begins with http:// or https://.';

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}

function readCommon(name: string, { enabled = true, types = {}, quietHours = 'inherit' }: Fields): Result<Common> {
  if (typeof enabled !== 'boolean') return refuse('invalid', `The channel ${name}: "enabled" is true or false.`);
  if (!isRecord(types)) return refuse('invalid', `The channel ${name}: "types" must be a JSON object.`);
  const chosen: Partial<Record<NotificationType, boolean>> = {};
  for (const [type, wanted] of Object.entries(types)) {
    const known = NOTIFICATION_TYPES.find((one) => one === type);
    if (known === undefined)
      return refuse('invalid', `The channel ${name}: there is no type "${type}"; ${NOTIFICATION_TYPES.join(', ')}.`);
    if (typeof wanted !== 'boolean') return refuse('invalid', `The channel ${name}: types.${type} is true or false.`);
    chosen[known] = wanted;
  }
  if (quietHours === 'inherit' || quietHours === 'none') return done({ enabled, types: chosen, quietHours });
  const quiet = readQuietHours(quietHours);
  return quiet.ok ? done({ enabled, types: chosen, quietHours: quiet.value }) : quiet;
}

export function readQuietHours(value: unknown): Result<QuietHours> {
  const { from, to, timeZone } = isRecord(value) ? value : {};
  if (typeof from !== 'string' || typeof to !== 'string' || typeof timeZone !== 'string')
    return refuse(
      'invalid',
      'Quiet hours are written as {"from": "22:00", "to": "07:00", "timeZone": "Europe/Berlin"}.',
    );
  const hours = { from, to, timeZone };
  const wrong = judgeQuietHours(hours);
  return wrong === null ? done(hours) : refuse('invalid', wrong);
}

/** Every text of the channel that nobody else may see. */
export function secretsOf(settings: ChannelSettings): ReadonlyArray<string> {
  if (settings.type === 'webhook') return [settings.url, settings.secret];
  if (settings.type === 'slack') return [settings.url];
  return settings.type === 'telegram' ? [settings.token] : [];
}
