import { defined } from '@attractor/base';
import { CHANNEL_FLAGS, CHANNEL_NAMES, CHANNEL_TYPES } from '@attractor/notify/channels';
import type { ChannelBody, ChannelView, NotifyView, PreferencesBody } from '@attractor/api';
import { CommandFailure, EXIT } from '@attractor/console';
import { jsonFlag } from '../verbs/fields.ts';
import { nameOfFlag } from '../verbs/flag.ts';
import { facts, table, moreRows } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';

const NAME = { name: '<name>', about: "the channel's name" };

const CHANNEL_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'list',
    summary: 'list the channels',
    examples: ['channels list', 'channels list --json'],
    call: ({ client }) => client.channels.settings(),
    ids: ({ channels }) => channels.map(({ name }) => name),
    show: (settings, { style }) => [...channelTable(settings.channels, style), ...preferenceLines(settings, style)],
  }),
  verb({
    name: 'add',
    alias: 'save',
    summary: 'add or change a channel',
    arguments: [NAME],
    flags: [
      { flag: '--type <type>', about: 'what it is', choices: CHANNEL_TYPES },
      ...CHANNEL_FLAGS,
      { flag: '--on <type>', about: 'also notify of this, such as task.status_changed', many: true },
      { flag: '--off <type>', about: 'do not notify of this', many: true },
      { flag: '--disabled', about: 'keep it, but send nothing' },
      { flag: '--channel <json>', about: 'all of it as JSON' },
    ],
    notes:
      'Secrets (the token of a Telegram bot, the secret of a webhook) are given as JSON on stdin, to keep them out of the\nhistory of the shell: {"type": "telegram", "token": "…", "chatId": "42"}. A webhook without a secret gets one, which is shown once.',
    examples: [
      'channels add desk --type desktop',
      'channels add hook --type webhook --url https://example.test/hook',
      'channels add phone < telegram.json',
    ],
    call: async (call) => call.client.channels.save(await channelBody(call)),
    ids: ({ channel }) => [channel.name],
    show: ({ channel, secret }, { style }) => [
      ...channelTable([channel], style),
      ...(secret === null ? [] : [`Secret, shown only this once: ${secret}`]),
    ],
  }),
  verb({
    name: 'remove',
    alias: 'delete',
    summary: 'remove a channel and its secrets',
    arguments: [NAME],
    examples: ['channels remove hook'],
    call: ({ client, arg }) => client.channels.remove(arg(0)),
    show: (_nothing, { arg }) => [`Removed ${arg(0)}.`],
  }),
  verb({
    name: 'test',
    summary: 'send a test message and say whether it arrived',
    arguments: [NAME],
    examples: ['channels test hook'],
    call: ({ client, arg }) => client.channels.test(arg(0)),
    show: (_nothing, { arg }) => [`It arrived at ${arg(0)}.`],
  }),
  verb({
    name: 'preferences',
    summary: 'set quiet hours and the address under which this server is reached',
    flags: [
      { flag: '--quiet-from <time>', about: 'such as 22:00' },
      { flag: '--quiet-to <time>', about: 'such as 07:00' },
      { flag: '--time-zone <name>', about: 'such as Europe/Berlin (default UTC)' },
      { flag: '--never-quiet', about: 'remove the quiet hours' },
      { flag: '--public-url <url>', about: 'for links and replies; none removes it' },
    ],
    examples: ['channels preferences --quiet-from 22:00 --quiet-to 07:00 --time-zone Europe/Berlin'],
    call: async (call) => {
      const body = preferencesOf(call);
      return Object.keys(body).length === 0
        ? call.client.channels.settings()
        : call.client.channels.setPreferences(body);
    },
    ids: () => [],
    show: (settings, { style }) => preferenceLines(settings, style),
  }),
  verb({
    name: 'deliveries',
    summary: 'list what was sent, the newest first',
    flags: [
      { flag: '--channel <name>', about: 'only through this one' },
      { flag: '--limit <n>', about: 'at most so many (default 50)', number: true },
    ],
    examples: ['channels deliveries --channel hook --json'],
    call: ({ client, flags }) => {
      const channel = flags.text('channel');
      return client.channels.deliveries({
        limit: flags.number('limit') ?? 50,
        ...defined({ channel }),
      });
    },
    more: (deliveries, left) => ({ left, how: moreRows(deliveries.length, left) }),
    show: (deliveries, { style }) =>
      table(deliveries, {
        style,
        none: 'Nothing has been sent yet.',
        columns: [
          { head: 'ID', cell: ({ id }) => id, paint: style.accent },
          { head: 'CHANNEL', cell: ({ channel }) => channel },
          { head: 'STATE', cell: ({ state }) => state },
          { head: 'TRIES', cell: ({ attempts }) => String(attempts) },
          {
            head: 'WHAT',
            cell: ({ notification, error }) =>
              error === null ? notification.title : `${notification.title} (${error})`,
          },
        ],
      }),
  }),
];

async function channelBody(call: Call): Promise<ChannelBody> {
  const { flags } = call;
  const whole = jsonFlag(call, 'channel');
  const given = whole ?? (flags.text('type') === undefined ? await call.input() : null);
  const channel = given === null || given === undefined ? channelByFlags(call) : given;
  if (typeof channel !== 'object' || channel === null)
    throw new CommandFailure('--channel: expected a JSON object', EXIT.usage);
  return { name: call.arg(0), channel: { ...channel } };
}

function channelByFlags({ flags }: Call): Readonly<Record<string, unknown>> {
  const type = flags.text('type');
  if (type === undefined)
    throw new CommandFailure('give --type, or the channel as JSON on stdin (see --help)', EXIT.usage);
  const own = CHANNEL_FLAGS.map(({ flag, field }) => [field, flags.text(nameOfFlag(flag))] as const);
  const types = Object.fromEntries([
    ...(flags.list('on') ?? []).map((name) => [name, true] as const),
    ...(flags.list('off') ?? []).map((name) => [name, false] as const),
  ]);
  return {
    type,
    ...defined(Object.fromEntries(own)),
    ...(Object.keys(types).length === 0 ? {} : { types }),
    ...(flags.has('disabled') ? { enabled: false } : {}),
  };
}

function preferencesOf({ flags }: Call): PreferencesBody {
  const [from, to, url] = [flags.text('quietFrom'), flags.text('quietTo'), flags.text('publicUrl')];
  if ((from === undefined) !== (to === undefined))
    throw new CommandFailure('quiet hours need both --quiet-from and --quiet-to', EXIT.usage);
  const hours =
    from === undefined || to === undefined ? undefined : { from, to, timeZone: flags.text('timeZone') ?? 'UTC' };
  return {
    ...defined({ quietHours: hours }),
    ...(flags.has('neverQuiet') ? { quietHours: null } : {}),
    ...(url === undefined ? {} : { publicUrl: url === 'none' ? null : url }),
  };
}

function channelTable(channels: ReadonlyArray<ChannelView>, style: Call['style']): ReadonlyArray<string> {
  return table(channels, {
    style,
    none: 'No channels: attractor channels add --help',
    columns: [
      { head: 'NAME', cell: ({ name }) => name, paint: style.accent },
      { head: 'TYPE', cell: ({ type }) => type },
      { head: 'STATE', cell: stateOf },
      { head: 'TO', cell: ({ target }) => target },
      { head: 'LEFT OUT', cell: leftOut },
    ],
  });
}

function leftOut({ types }: ChannelView): string {
  return Object.entries(types)
    .filter(([, isOn]) => isOn !== undefined && !isOn)
    .map(([type]) => type)
    .join(' ');
}

function stateOf({ enabled, available, failing }: ChannelView): string {
  if (!enabled) return 'off';
  if (!available) return 'not possible here';
  return failing ? 'failing' : 'on';
}

function preferenceLines({ quietHours, publicUrl }: NotifyView, style: Call['style']): ReadonlyArray<string> {
  return facts(
    [
      ['quiet hours', quietHours === null ? 'none' : `${quietHours.from} to ${quietHours.to} (${quietHours.timeZone})`],
      ['public url', publicUrl ?? 'none'],
    ],
    style,
  );
}

export const define = noun({
  description: `How people are notified of what happens: ${CHANNEL_NAMES.join(', ')}.`,
  verbs: CHANNEL_VERBS,
});
