import { randomBytes } from 'node:crypto';
import { chmod, open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { done, isRecord } from '@attractor/base';
import { refuse, type Result } from '@attractor/store';
import { type ChannelSettings, readChannelSettings, readQuietHours } from './channel-settings.ts';
import type { QuietHours } from './quiet-hours.ts';

/**
 * How a person wants to be notified: `notifications.json` in the home folder, readable by its owner only. It is the only place with the
 * addresses and secrets of channels; none of them are ever in the database.
 */
export type NotifySettings = {
  /** The address at which people reach the app, for links and replies. */
  readonly publicUrl: string | null;
  readonly quietHours: QuietHours | null;
  readonly channels: Readonly<Record<string, ChannelSettings>>;
};

const NOTHING: NotifySettings = { publicUrl: null, quietHours: null, channels: {} };

export async function readNotifySettings(home: string): Promise<Result<NotifySettings>> {
  const path = pathIn(home);
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return done(NOTHING);
  await chmod(path, 0o600).catch(() => undefined);
  const parsed = parse(text);
  if (!isRecord(parsed)) return refuse('invalid', `${path} is not a JSON object: correct it.`);
  const settings = readSettings(parsed);
  return settings.ok ? settings : refuse('invalid', `${path}: ${settings.error.message}`);
}

/** Atomic. */
export async function writeNotifySettings(home: string, settings: NotifySettings): Promise<void> {
  const path = pathIn(home);
  const part = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(part, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(settings, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
}

/** Changes whenever the file does; null without one. */
export async function settingsMark(home: string): Promise<string | null> {
  const found = await stat(pathIn(home), { bigint: true }).catch(() => null);
  return found === null ? null : `${found.ino}:${found.mtimeNs}:${found.size}`;
}

function pathIn(home: string): string {
  return join(home, 'notifications.json');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readSettings(value: Readonly<Record<string, unknown>>): Result<NotifySettings> {
  const { publicUrl = null, quietHours = null, channels = {} } = value;
  const url = readPublicUrl(publicUrl);
  if (!url.ok) return url;
  const quiet = quietHours === null ? done(null) : readQuietHours(quietHours);
  if (!quiet.ok) return quiet;
  if (!isRecord(channels)) return refuse('invalid', '"channels" must be a JSON object.');
  const read: Record<string, ChannelSettings> = {};
  for (const [name, channel] of Object.entries(channels)) {
    const settings = readChannelSettings(name, channel);
    if (!settings.ok) return settings;
    read[name] = settings.value;
  }
  return done({ publicUrl: url.value, quietHours: quiet.value, channels: read });
}

export function readPublicUrl(value: unknown): Result<string | null> {
  if (value === null) return done(null);
  if (typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value))
    return done(value.replace(/\/+$/, ''));
  return refuse('invalid', '"publicUrl" must be an address that begins with http:// or https://.');
}
