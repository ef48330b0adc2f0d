import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findSandbox } from '@attractor/confine';
import { runGit } from '@attractor/git';
import { configurationFromEnvironment, firstMissing, SERVICES } from '@attractor/llm';
import { CommandFailure } from '@attractor/console';
import { repositoryRoot } from '../repository.ts';
import { type Environment, readSettings } from '../settings.ts';

/** The result of one check. `optional` is absent but not needed for every use. */
export type Finding = {
  readonly what: string;
  readonly state: 'well' | 'optional' | 'missing';
  readonly found: string;
  readonly remedy?: string;
};

type Place = { readonly env: Environment; readonly home: string };

/** One look after another; `doing` says what is looked at. */
export const LOOKS: ReadonlyArray<{
  readonly doing: string;
  readonly look: (place: Place) => Finding | Promise<Finding>;
}> = [
  { doing: 'looking at Node', look: node },
  { doing: 'looking for git', look: git },
  { doing: 'trying a sandbox', look: sandbox },
  { doing: 'looking at the home', look: home },
  { doing: 'looking for room', look: room },
  { doing: 'reading the configuration', look: configuration },
  { doing: 'looking for the database', look: database },
  { doing: 'looking for models', look: model },
  { doing: 'looking at the default agent', look: defaultAgent },
];

function node(): Finding {
  return { what: 'Node', state: 'well', found: `${process.version} at ${process.execPath}` };
}

async function git(): Promise<Finding> {
  const result = await runGit(['--version'], { cwd: process.cwd() });
  if (result.exitCode === 0) return { what: 'git', state: 'well', found: result.stdout.trim() };
  return { what: 'git', state: 'missing', found: 'not found', remedy: 'Install git (Debian: apt-get install git).' };
}

/** Not required: a person may work without one, and unattended runs report what they need. */
async function sandbox(): Promise<Finding> {
  const found = await findSandbox({ roots: [process.cwd()] });
  if (!found.available)
    return { what: 'sandbox', state: 'optional', found: `none: ${found.reason}`, remedy: found.remedy };
  const lacks = found.lacks.length === 0 ? '' : ` (an old version, without ${found.lacks.join(', ')})`;
  return { what: 'sandbox', state: 'well', found: `bubblewrap at ${found.path}${lacks}` };
}

function home({ home: folder }: Place): Finding {
  const what = 'home';
  const nearest = nearestExisting(folder);
  try {
    if (!statSync(nearest).isDirectory())
      return {
        what,
        state: 'missing',
        found: `${nearest} is not a folder`,
        remedy: 'Set ATTRACTOR_HOME to a folder you can write to.',
      };
    accessSync(nearest, constants.W_OK | constants.X_OK);
    return { what, state: 'well', found: `${folder}${nearest === folder ? '' : ' (made when first needed)'}` };
  } catch {
    return {
      what,
      state: 'missing',
      found: `${nearest} can't be written to`,
      remedy: 'Set ATTRACTOR_HOME to a folder you can write to.',
    };
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestExisting(dirname(folder));
}

const NEEDED_MB = 100;

/** On a full disk nothing is stored, and the home alone looks well. */
function room({ home: folder }: Place): Finding {
  const { bavail, bsize } = statfsSync(nearestExisting(folder));
  const free = Math.floor((bavail * bsize) / 1_000_000);
  const found = `${free} MB free`;
  if (free >= NEEDED_MB) return { what: 'room', state: 'well', found };
  const remedy = `Free some space on the disk of ${folder}: \`attractor disk\` shows what takes it up.`;
  return { what: 'room', state: 'missing', found, remedy };
}

function configuration({ home: folder }: Place): Finding {
  const file = join(folder, 'config.json');
  try {
    readSettings(folder);
    return { what: 'configuration', state: 'well', found: existsSync(file) ? file : `none (${file} is optional)` };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return { what: 'configuration', state: 'missing', found: error.message, remedy: `Fix or remove ${file}.` };
  }
}

/** A server is asked, with the address that a worker would use; its driver is loaded only then. */
async function database({ env, home: folder }: Place): Promise<Finding> {
  const what = 'database';
  const databaseUrl = env['ATTRACTOR_DATABASE_URL'] ?? '';
  const file = join(folder, 'attractor.db');
  if (databaseUrl === '')
    return { what, state: 'well', found: existsSync(file) ? file : `${file} (made when first needed)` };
  const { lookAtServer } = await import('@attractor/platform');
  const looked = await lookAtServer(databaseUrl);
  if (looked.ok) return { what, state: 'well', found: looked.value };
  const remedy = 'Correct ATTRACTOR_DATABASE_URL, or without it the records are in ATTRACTOR_HOME.';
  return { what, state: 'missing', found: looked.error.message, remedy };
}

/** Reports which providers have a key, never the key. */
function model({ env, home: folder }: Place): Finding {
  const configured = new Set([
    ...Object.keys(configurationFromEnvironment(env).providers ?? {}),
    ...configuredProviders(folder),
  ]);
  const lacking = firstMissing(configurationFromEnvironment(env));
  if (lacking !== undefined) return { what: 'models', state: 'missing', found: 'not complete', remedy: lacking };
  if (configured.size > 0) return { what: 'models', state: 'well', found: `configured: ${[...configured].join(', ')}` };
  const variables = SERVICES.slice(0, 3).flatMap((row) => row.keyVariables.slice(0, 1));
  return {
    what: 'models',
    state: 'optional',
    found: 'no key found; the demo needs none',
    remedy: `Set ${variables.join(', ')} or another provider's key, or put it in ${join(folder, 'config.json')} under "providers".`,
  };
}

function configuredProviders(folder: string): ReadonlyArray<string> {
  try {
    return Object.keys(readSettings(folder).providers ?? {});
  } catch {
    return [];
  }
}

/** Who works if nobody names an agent, by what the home's file and this repository's say. Models have a line of their own. */
async function defaultAgent({ env, home: folder }: Place): Promise<Finding> {
  const what = 'default agent';
  const { examineDefaultIn } = await import('@attractor/server');
  const here = await repositoryRoot(process.cwd()).catch(() => process.cwd());
  const { type, problem, message } = await examineDefaultIn(here, { home: folder, env });
  if (problem === null || (problem === 'unavailable' && type === 'native'))
    return { what, state: 'well', found: type ?? 'native, the built-in one' };
  const remedy = 'Or name another one as "defaultAgentType" there: `attractor agents` lists what can work here.';
  return { what, state: 'missing', found: message, remedy };
}
