import { KEY_FRAGMENT } from '@attractor/api';
import { CommandFailure, EXIT } from '@attractor/console';
import { oneVerb } from '../verbs/noun.ts';
import { print, valueOf } from '@attractor/console/lines';
import type { Verb } from '../verbs/verb.ts';

const SIGN_IN: Verb = {
  name: 'sign-in',
  summary: 'print an address that signs a browser in to the running server, once',
  arguments: [{ name: '[task]', about: 'open the page of this task' }],
  flags: [{ flag: '--user <name>', about: 'for this user (default: whoever asks)' }],
  notes: 'Each address works once and for a short time; ask for as many as you need.',
  examples: ['sign-in', 'sign-in ATT-12', 'sign-in --user ada', 'sign-in --server http://127.0.0.1:4180'],
  run: async ({ client, where, address, arg, flags, output }) => {
    if (where === 'here')
      throw new CommandFailure('no server of this home is running: start one with `attractor serve`', EXIT.notFound);
    const { key } = valueOf(await client.access.mintKey(flags.text('user')));
    const path = arg(0) === '' ? '/' : `/tasks/${valueOf(await client.tasks.get(arg(0))).id}`;
    const url = `${address}${path}#${KEY_FRAGMENT}=${key}`;
    await print(output, { value: { url }, lines: () => [url], ids: () => [url] });
    return EXIT.done;
  },
};

export const define = oneVerb(SIGN_IN);
