import { done } from '@attractor/base';
import { createRedactor } from '@attractor/redact';
import { ownName, refuseOnDatabaseError, type Store } from '@attractor/store';
import { createChannel, kindOf } from './channels/index.ts';
import type { ChannelSettings } from './channel-settings.ts';
import { collect } from './collect.ts';
import { deliverNext } from './deliver.ts';
import { type Pace, PACE } from './next-move.ts';
import { isQuiet } from './quiet-hours.ts';
import { type NotifySettings, readNotifySettings, settingsMark } from './settings-file.ts';

/**
 * Notifies people through the channels of the home folder. It only follows the log: nothing waits for it, and each channel has its own
 * pace. If killed at any moment it continues from the state in the database.
 */
export type Notifier = { readonly close: () => Promise<void> };

export type NotifierOptions = {
  readonly store: Store;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For quiet hours only. */
  readonly clock?: () => Date;
  readonly pace?: Pace;
  /** Called with bugs; the next round continues. */
  readonly onUnexpected: (error: unknown) => void;
};

const POLL_MS = 1_000;
const CLOSE_GRACE_MS = 1_000;

export function startNotifier(options: NotifierOptions): Notifier {
  const { store } = options;
  const closing = new AbortController();
  const sending = new AbortController();
  const pumps = createPumps(options, { closing: closing.signal, sending: sending.signal });
  let settings: NotifySettings | null = null;
  let mark: string | null = null;

  const reload = async (): Promise<void> => {
    const found = await settingsMark(options.home);
    if (found !== mark) {
      const read = found === null ? null : await readNotifySettings(options.home);
      settings = read?.ok === true ? read.value : null;
      mark = found;
    }
    look();
  };
  const look = (): void => {
    if (settings !== null && !closing.signal.aborted) pumps.run(settings);
  };

  const stopListening = store.onChange(look);
  const timer = setInterval(() => void reload(), POLL_MS);
  timer.unref();
  void reload();
  return {
    close: async () => {
      closing.abort();
      stopListening();
      clearInterval(timer);
      const grace = setTimeout(() => sending.abort(), CLOSE_GRACE_MS);
      await pumps.settled();
      clearTimeout(grace);
    },
  };
}

type Signals = { readonly closing: AbortSignal; readonly sending: AbortSignal };

/** One delivery at a time for each channel: a channel that hangs delays only itself. */
function createPumps(options: NotifierOptions, signals: Signals) {
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  const seen = new Map<string, number>();
  const start = (name: string, settings: NotifySettings, channel: ChannelSettings): void => {
    if (running.has(name)) {
      again.add(name);
      return;
    }
    again.delete(name);
    const pump = refuseOnDatabaseError(() => pumpChannel(options, { name, settings, channel, signals, seen }))
      .then(() => undefined, options.onUnexpected)
      .finally(() => {
        running.delete(name);
        if (again.has(name) && !signals.closing.aborted) start(name, settings, channel);
      });
    running.set(name, pump);
  };
  return {
    run: (settings: NotifySettings): void => {
      for (const [name, channel] of Object.entries(settings.channels))
        if (channel.enabled) start(name, settings, channel);
    },
    settled: async (): Promise<void> => {
      await Promise.all(running.values());
    },
  };
}

type Pumping = {
  readonly name: string;
  readonly settings: NotifySettings;
  readonly channel: ChannelSettings;
  readonly signals: Signals;
  readonly seen: Map<string, number>;
};

async function pumpChannel(options: NotifierOptions, pumping: Pumping) {
  const { name, settings, channel, signals, seen } = pumping;
  const { store, env, clock = () => new Date() } = options;
  const hours = channel.quietHours === 'inherit' ? settings.quietHours : channel.quietHours;
  const quiet = hours !== 'none' && isQuiet(hours, clock());
  const redactor = createRedactor({
    secrets: Object.values(settings.channels).flatMap((own) => kindOf(own).secrets(own)),
  });
  seen.set(name, await collect(store, { name, settings: channel, isQuiet: quiet, redactor }, seen.get(name) ?? 0));
  const on = {
    name,
    channel: createChannel(channel, { env }),
    isQuiet: quiet,
    publicUrl: settings.publicUrl,
    redactor,
    owner: ownName(),
    pace: options.pace ?? PACE,
    closing: signals.sending,
  };
  while (!signals.closing.aborted && (await deliverNext(store, on))) continue;
  return done(null);
}
