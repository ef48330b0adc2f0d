import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { defined, done } from '@attractor/base';
import { refuse, type Result } from '@attractor/store';
import { whyNotCopied } from '../git/classify-remote.ts';
import { personRemoteOptions } from '../git/person-git.ts';
import { git } from '../git/repository.ts';
import { type Address, PROTOCOLS, readAddress, withoutSecrets } from './address.ts';
import { inDraft } from './draft.ts';
import { type CopyProgress, readProgress, withoutProgress } from './progress.ts';

export type Machine = {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Repositories on this machine: none of them may supply the git that clones. */
  readonly repositories?: () => Promise<ReadonlyArray<string>>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CopyProgress) => void;
};

/** Where the clones of this machine are. */
export function copiesFolder(home: string): string {
  return join(home, 'repositories');
}

type Cloning = {
  readonly url: string;
  readonly machine: Machine;
  readonly config?: Readonly<Record<string, string>>;
  readonly protocols?: ReadonlyArray<string>;
};

/** `there`: somebody else made it meanwhile. */
type Cloned = { readonly state: 'made' | 'there' } | { readonly state: 'failed'; readonly said: string };

/** A clone is complete or does not exist. */
export async function copyInto(folder: string, cloning: Cloning): Promise<Cloned> {
  const { url, machine, config, protocols } = cloning;
  const parent = dirname(folder);
  return inDraft(parent, async (draft) => {
    const outside = (await machine.repositories?.()) ?? [];
    const talk = await personRemoteOptions(machine.env, parent, outside);
    const cloned = await git(['clone', '--quiet', '--progress', '--no-recurse-submodules', '--', url, draft], {
      ...talk,
      ...defined({ signal: machine.signal }),
      cwd: parent,
      outside,
      timeoutMs: CLONE_TIMEOUT_MS,
      onOutput: (text) => {
        const progress = readProgress(text);
        if (progress !== null) machine.onProgress?.(progress);
      },
      config: { ...talk.config, ...config },
      ...(protocols === undefined ? {} : { variables: { GIT_ALLOW_PROTOCOL: protocols.join(':') } }),
    });
    if (!cloned.ok) return { state: 'failed', said: withoutProgress(cloned.error.message) };
    try {
      await rename(draft, folder);
      return { state: 'made' };
    } catch (error) {
      if (existsSync(folder)) return { state: 'there' };
      throw error;
    }
  });
}

/** Whoever asked over HTTP still hears of it: clients wait five minutes. */
const CLONE_TIMEOUT_MS = 280_000;

const NAME = /^(?!prj_)\w[\w.-]{0,99}$/;

type CloneRequest = { readonly url: string; readonly name?: string | undefined };

/** The folder of a new clone below our home. Refused if there is such a folder already. */
export async function copyAddress(request: CloneRequest, machine: Machine): Promise<Result<string>> {
  const address = readAddress(request.url);
  if (!address.ok) return address;
  const name = request.name?.trim() ?? address.value.name;
  if (!NAME.test(name)) return refuse('invalid', NO_NAME, [{ path: 'name', expected: NAME_RULE, message: NO_NAME }]);
  const folder = join(copiesFolder(machine.home), name);
  if (existsSync(folder)) return refuse('conflict', isThere(folder), { path: folder });
  const { shown } = address.value;
  const config = secretConfig(address.value);
  const cloned = await copyInto(folder, { url: shown, machine, config, protocols: PROTOCOLS });
  if (cloned.state === 'failed')
    return { ok: false, error: whyNotCopied(withoutSecrets(cloned.said, address.value), shown) };
  return cloned.state === 'made' ? done(folder) : refuse('conflict', isThere(folder), { path: folder });
}

const NAME_RULE = 'letters, digits, ".", "-" and "_", and a letter or digit first';
const NO_NAME = `The folder of a clone needs a name: ${NAME_RULE}, at most 100.`;

function isThere(folder: string): string {
  return `${folder} already exists: add the folder itself as a project, or give the clone another name.`;
}

/** Git knows the secret for this one command, and only by a variable: it is in no list of processes and in no file. */
function secretConfig({ shown, secret }: Address): Readonly<Record<string, string>> {
  return secret === null ? {} : { [`url.${secret}.insteadOf`]: shown };
}
