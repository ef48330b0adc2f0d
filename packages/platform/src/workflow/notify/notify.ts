import { done, isRecord } from '@attractor/base';
import { createRedactor } from '@attractor/redact';
import {
  type ChannelSettings,
  createChannel,
  isWanted,
  kindOf,
  type NotifySettings,
  readChannelSettings,
  readNotifySettings,
  readPublicUrl,
  readQuietHours,
  writeNotifySettings,
} from '@attractor/notify';
import { CHANNEL_FORMS } from '@attractor/notify/channels';
import {
  type Actor,
  appendEvents,
  type EventType,
  findCursor,
  findOrStartCursor,
  findReply,
  listDeliveries,
  NO_PROJECT,
  type Notification,
  NOTIFICATION_TYPES,
  type Prompt,
  refuse,
  refuseOnDatabaseError,
  removeChannelRecords,
  type Result,
  type Store,
  type Tx,
  REPLY,
} from '@attractor/store';
import type { ChannelView, NotifyCommands, NotifyView, PromptReplyCommand } from './contract.ts';
import type { PromptCommands } from '../prompts/contract.ts';

type Place = {
  readonly store: Store;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly answerPrompt: PromptCommands['answerPrompt'];
};

export function createNotifyCommands(place: Place): NotifyCommands {
  const guarded = refuseOnDatabaseError;
  return {
    notifySettings: () => guarded(() => showSettings(place)),
    saveChannel: (input, actor) => guarded(() => saveChannel(place, input, actor)),
    removeChannel: (name, actor) => guarded(() => removeChannel(place, name, actor)),
    saveNotifyPreferences: (input, actor) => guarded(() => savePreferences(place, input, actor)),
    testChannel: (name, actor) => guarded(() => testChannel(place, name, actor)),
    listDeliveries: (filter) => listDeliveries(place.store.read, filter),
    replyToPrompt: (reply) => guarded(() => replyToPrompt(place, reply)),
  };
}

async function showSettings(place: Place): Promise<Result<NotifyView>> {
  const settings = await readNotifySettings(place.home);
  if (!settings.ok) return settings;
  const { publicUrl, quietHours, channels } = settings.value;
  const shown = Object.entries(channels).map(([name, channel]) => showChannel(place, name, channel));
  return done({ publicUrl, quietHours, channels: await Promise.all(shown), kinds: CHANNEL_FORMS });
}

async function showChannel({ store, env }: Place, name: string, settings: ChannelSettings): Promise<ChannelView> {
  const channel = createChannel(settings, { env });
  const wanted = NOTIFICATION_TYPES.map((type) => [type, isWanted({ ...settings, enabled: true }, type)] as const);
  return {
    name,
    type: settings.type,
    displayName: channel.displayName,
    enabled: settings.enabled,
    available: await channel.isAvailable(),
    failing: (await findCursor(store.read, name))?.failing ?? false,
    target: kindOf(settings).target(settings),
    types: Object.fromEntries(wanted),
    quietHours: settings.quietHours,
  };
}

async function saveChannel(
  place: Place,
  { name, channel }: Parameters<NotifyCommands['saveChannel']>[0],
  actor: Actor,
): ReturnType<NotifyCommands['saveChannel']> {
  return changeSettings(place, async (settings, tx) => {
    const known = settings.channels[name];
    const read = readChannelSettings(
      name,
      isRecord(channel) ? { ...keptSecrets(known, channel), ...channel } : channel,
    );
    if (!read.ok) return read;
    await findOrStartCursor(tx, name);
    await tell(tx, 'notify.channel_saved', { summary: `Channel ${name} saved (${read.value.type})`, name, actor });
    const secret = shownOnce(read.value);
    const isNew = known === undefined || shownOnce(known) !== secret;
    return done({
      next: { ...settings, channels: { ...settings.channels, [name]: read.value } },
      value: { channel: await showChannel(place, name, read.value), secret: isNew ? secret : null },
    });
  });
}

/** Changing the hours of a channel does not require its secret. */
function keptSecrets(known: ChannelSettings | undefined, given: Readonly<Record<string, unknown>>) {
  if (known === undefined || known.type !== given['type']) return {};
  const { kept } = kindOf(known);
  return Object.fromEntries(Object.entries(known).filter(([field]) => kept.includes(field)));
}

function shownOnce(settings: ChannelSettings): string | null {
  return kindOf(settings).shownOnce?.(settings) ?? null;
}

function removeChannel(place: Place, name: string, actor: Actor): Promise<Result<null>> {
  return changeSettings(place, async (settings, tx) => {
    const { [name]: removed, ...channels } = settings.channels;
    if (removed === undefined)
      return refuse('not_found', `There is no channel ${name}: see "attractor channels list".`);
    await removeChannelRecords(tx, name);
    await tell(tx, 'notify.channel_removed', { summary: `Channel ${name} removed`, name, actor });
    return done({ next: { ...settings, channels }, value: null });
  });
}

async function savePreferences(
  place: Place,
  input: Parameters<NotifyCommands['saveNotifyPreferences']>[0],
  actor: Actor,
): Promise<Result<NotifyView>> {
  const saved = await changeSettings(place, async (settings, tx) => {
    const url = input.publicUrl === undefined ? done(settings.publicUrl) : readPublicUrl(input.publicUrl);
    if (!url.ok) return url;
    const kept = input.quietHours === undefined ? settings.quietHours : null;
    const given = input.quietHours ?? null;
    const quiet = given === null ? done(kept) : readQuietHours(given);
    if (!quiet.ok) return quiet;
    await tell(tx, 'notify.preferences_saved', { summary: 'Preferences for notifications saved', name: null, actor });
    return done({ next: { ...settings, publicUrl: url.value, quietHours: quiet.value }, value: null });
  });
  return saved.ok ? showSettings(place) : saved;
}

type Changed<Value> = Result<{ readonly next: NotifySettings; readonly value: Value }>;

/** The transaction prevents concurrent changes to the file, which is written last, when nothing else can be refused. */
function changeSettings<Value>(
  { store, home }: Place,
  change: (settings: NotifySettings, tx: Tx) => Promise<Changed<Value>>,
): Promise<Result<Value>> {
  return store.transact(async (tx): Promise<Result<Value>> => {
    const settings = await readNotifySettings(home);
    if (!settings.ok) return settings;
    const changed = await change(settings.value, tx);
    if (!changed.ok) return changed;
    await writeNotifySettings(home, changed.value.next);
    return done(changed.value.value);
  });
}

const TEST_MS = 15_000;

async function testChannel(place: Place, name: string, actor: Actor): Promise<Result<null>> {
  const settings = await readNotifySettings(place.home);
  if (!settings.ok) return settings;
  const channel = settings.value.channels[name];
  if (channel === undefined) return refuse('not_found', `There is no channel ${name}: see "attractor channels list".`);
  const sent = await createChannel(channel, place).send(
    { deliveryId: `test_${Date.now()}`, notification: tryOut(name), link: settings.value.publicUrl, replies: [] },
    AbortSignal.timeout(TEST_MS),
  );
  const message = sent.ok ? '' : createRedactor({ secrets: kindOf(channel).secrets(channel) }).text(sent.message);
  const summary = sent.ok ? `Channel ${name} works` : `Channel ${name} does not work: ${message}`;
  await place.store.transact((tx) => tell(tx, 'notify.channel_tested', { summary, name, actor }));
  return sent.ok ? done(null) : refuse('unavailable', `${message}. Check the settings of the channel ${name}.`);
}

function tryOut(name: string): Notification {
  return {
    type: 'test',
    title: 'Attractor',
    body: `This is how the channel ${name} looks.`,
    severity: 'info',
    critical: false,
    context: { projectId: '', projectName: '', taskId: null, taskTitle: null, agentRunId: null, appRoute: '/' },
    prompt: null,
    items: [],
    timestamp: new Date().toISOString(),
  };
}

type Telling = { readonly summary: string; readonly name: string | null; readonly actor: Actor };

type ChannelEvent = Extract<EventType, `notify.channel_${'saved' | 'removed' | 'tested'}` | 'notify.preferences_saved'>;

async function tell(tx: Tx, type: ChannelEvent, { summary, name, actor }: Telling): Promise<void> {
  await appendEvents(tx, [{ projectId: NO_PROJECT, type, summary, data: { channel: name }, actor }]);
}

async function replyToPrompt(
  { store, answerPrompt }: Place,
  { promptId, token, answer }: PromptReplyCommand,
): Promise<Result<Prompt>> {
  const reply = await findReply(store.read, promptId, token);
  if (reply === null) return refuse('unavailable', 'This address answers nothing: its token is not valid.');
  const actor: Actor = { type: 'user', name: `${REPLY}${reply.channel}` };
  return answerPrompt({ promptId, contentHash: reply.contentHash, answer }, actor);
}
