import { done, expectedOfChannelName, isRecord } from '@attractor/base';
import { NOTIFICATION_TYPES, type NotificationType, refuse, type Result } from '@attractor/store';
import { CHANNEL_TYPES, type OwnSettings, readOwnSettings } from './channels/index.ts';
import { judgeQuietHours, type QuietHours } from './quiet-hours.ts';

/** What every channel has: whether it is used, for what, and when it is silent. */
type Common = {
  readonly enabled: boolean;
  /** Only the differences from the default, which is everything but changes of status. */
  readonly types: Readonly<Partial<Record<NotificationType, boolean>>>;
  /** `inherit`: the person's. */
  readonly quietHours: QuietHours | 'inherit' | 'none';
};

/** A channel as stored, secrets included: only ever in the person's own file. */
export type ChannelSettings = Common & OwnSettings;

const OFF_BY_DEFAULT: ReadonlySet<NotificationType> = new Set<NotificationType>(['task.status_changed']);

export function isWanted(settings: Pick<ChannelSettings, 'enabled' | 'types'>, type: NotificationType): boolean {
  return settings.enabled && (settings.types[type] ?? !OFF_BY_DEFAULT.has(type));
}

type Fields = Readonly<Record<string, unknown>>;

/** Parses settings from a person or a file, or says what is wrong and what would be right. A webhook without a secret gets one. */
export function readChannelSettings(name: string, value: unknown): Result<ChannelSettings> {
  const expected = expectedOfChannelName(name);
  if (expected !== null) return refuse('invalid', `"${name}" is not a name for a channel: use ${expected}.`);
  if (!isRecord(value)) return refuse('invalid', `The channel ${name} must be a JSON object.`);
  const own = readOwnSettings(value);
  if (own === null) return refuse('invalid', `The channel ${name} needs a type: one of ${CHANNEL_TYPES.join(', ')}.`);
  if (typeof own === 'string') return refuse('invalid', `The channel ${name}: ${own}`);
  const common = readCommon(name, value);
  return common.ok ? done({ ...own, ...common.value }) : common;
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
