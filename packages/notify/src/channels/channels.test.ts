import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startReceiver } from '../test-support/receiver.ts';
import { makeFolder } from '@attractor/store/testing';
import type { OutgoingNotification } from '../channel.ts';
import { createDesktopChannel } from './desktop.ts';
import { createSlackChannel } from './slack.ts';
import { createTelegramChannel } from './telegram.ts';

const signal = AbortSignal.timeout(600_000);

function outgoing(body = 'It <b>failed</b> & <!channel>'): OutgoingNotification {
  return {
    deliveryId: 'dlv_1',
    link: 'https://app.test/tasks/tsk_1',
    replies: [],
    notification: {
      type: 'agent.failed',
      title: '-x: Fix it',
      body,
      severity: 'error',
      critical: false,
      context: {
        projectId: 'prj_1',
        projectName: 'p',
        taskId: 'tsk_1',
        taskTitle: 'Fix it',
        agentRunId: null,
        appRoute: '/tasks/tsk_1',
      },
      prompt: null,
      items: [],
      timestamp: '',
    },
  };
}

describe('the Slack channel', () => {
  it('sends text that mentions nobody and shows no link under another name', async () => {
    const receiver = await startReceiver();
    expect(await createSlackChannel({ url: receiver.url }).send(outgoing(), signal)).toEqual({ ok: true });
    expect(receiver.received[0]?.json).toEqual({
      text: '✖ -x: Fix it\nIt &lt;b&gt;failed&lt;/b&gt; &amp; &lt;!channel&gt;\nhttps://app.test/tasks/tsk_1',
    });
  });

  it('keeps to what a message may hold, with its link whole', async () => {
    const receiver = await startReceiver();
    await createSlackChannel({ url: receiver.url }).send(outgoing('x'.repeat(100_000)), signal);
    const text = String(receiver.received[0]?.json['text']);
    expect(text.length).toBe(3_000);
    expect(text.endsWith('…\nhttps://app.test/tasks/tsk_1')).toBe(true);
  });
});

describe('the Telegram channel', () => {
  it('asks the bot to write to the chat, at the address it was given', async () => {
    const receiver = await startReceiver();
    const baseUrl = `${new URL(receiver.url).origin}/`;
    const channel = createTelegramChannel({ token: '123:abcdef', chatId: '-42', baseUrl });
    expect(await channel.send(outgoing(), signal)).toEqual({ ok: true });
    expect(receiver.received[0]).toMatchObject({
      path: '/bot123:abcdef/sendMessage',
      json: { chat_id: '-42', text: expect.stringContaining('It <b>failed</b> & <!channel>') },
    });
  });

  it('says how long it was asked to wait, and whether to try again', async () => {
    const receiver = await startReceiver();
    const channel = createTelegramChannel({ token: '123:abcdef', chatId: '1', baseUrl: new URL(receiver.url).origin });
    receiver.behave((response) => response.writeHead(429, { 'retry-after': '7' }).end('{"ok":false}'));
    expect(await channel.send(outgoing(), signal)).toMatchObject({ ok: false, retryable: true, retryAfterMs: 7_000 });
    receiver.behave(401);
    expect(await channel.send(outgoing(), signal)).toMatchObject({ ok: false, retryable: false });
  });

  it('that nobody answers is a failure to be tried again, without its token in the message', async () => {
    const channel = createTelegramChannel({ token: '123:abcdef', chatId: '1', baseUrl: 'http://127.0.0.1:1' });
    const sent = await channel.send(outgoing(), signal);
    expect(sent).toMatchObject({ ok: false, retryable: true });
    expect(JSON.stringify(sent)).not.toContain('abcdef');
  });
});

describe('the desktop channel', () => {
  it('gives the text to a program as arguments, never as options or markup', async () => {
    const folder = makeFolder();
    const program = join(folder, 'show');
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > ${join(folder, 'shown')}\nenv > ${join(folder, 'env')}\n`);
    chmodSync(program, 0o755);
    const channel = createDesktopChannel({ env: { PATH: '/usr/bin:/bin', DISPLAY: ':9', TOKEN: 'hidden' }, program });
    expect(await channel.isAvailable()).toBe(true);
    expect(await channel.send(outgoing('$(touch x) <b>'), signal)).toEqual({ ok: true });
    expect(readFileSync(join(folder, 'shown'), 'utf8').split('\n').slice(1)).toEqual([
      '--urgency=critical',
      '--',
      '-x: Fix it',
      '$(touch x) &lt;b>',
      '',
    ]);
    const env = readFileSync(join(folder, 'env'), 'utf8');
    expect(env).toContain('DISPLAY=:9');
    expect(env).not.toContain('hidden');
  });

  it('ends a program that does not end, and says where there is none', async () => {
    const folder = makeFolder();
    const program = join(folder, 'hang');
    writeFileSync(program, '#!/bin/sh\nexec sleep 600\n');
    chmodSync(program, 0o755);
    const sent = await createDesktopChannel({ env: { PATH: '/usr/bin:/bin' }, program }).send(
      outgoing(),
      AbortSignal.timeout(200),
    );
    expect(sent).toMatchObject({ ok: false, retryable: true, message: expect.stringContaining('in time') });
    const none = createDesktopChannel({ env: {}, program: join(folder, 'none') });
    expect(await none.isAvailable()).toBe(false);
    expect(await none.send(outgoing(), signal)).toMatchObject({ ok: false, retryable: false });
  });
});
