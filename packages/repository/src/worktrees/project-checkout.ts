import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { done } from '@attractor/base';
import { type Project, refuse, type Result, type StartBlock } from '@attractor/store';
import { whyNotWritable } from '@attractor/system';
import { git } from '../git/repository.ts';
import { copyInto, copiesFolder, type Machine } from '../copy/copy-remote.ts';

/**
 * The project on this machine: at its own path if that exists, otherwise in a clone of its remote below our home folder, made when it is
 * first needed. A clone is complete or does not exist, and two processes that make it at once end with the same one.
 */
export async function checkOutProject(project: Project, machine: Machine): Promise<Result<Project>> {
  const here = await reachedHere(project, machine.home);
  if (here !== null) return done(here);
  const folder = clonePath(project, machine.home);
  const url = project.config.git?.remoteUrl;
  if (url === undefined) return refuse('unavailable', missing(project));
  const locked = await whyNotWritable(machine.home);
  if (locked !== null) return refuse('unavailable', locked);
  const cloned = await copyInto(folder, { url, machine });
  if (cloned.state === 'failed')
    return refuse('unavailable', `The project can't be cloned from ${withoutSecret(url)}: ${cloned.said}`);
  return done({ ...project, path: folder });
}

/** The same as `checkedOut`, and our own clone goes to where the project's remote is by now. */
export async function reachedHere(project: Project, home: string): Promise<Project | null> {
  const here = checkedOut(project, home);
  const url = project.config.git?.remoteUrl;
  if (here === null || url === undefined || here.path !== clonePath(project, home)) return here;
  // Read as text, because a program of git costs more; what is written in another way is only set once more.
  const config = await readFile(join(here.path, '.git', 'config'), 'utf8').catch(() => '');
  if (!config.includes(`url = ${url}\n`)) await git(['remote', 'set-url', '--', 'origin', url], { cwd: here.path });
  return here;
}

/** The project where this machine has it; null if it does not have it yet. */
export function checkedOut(project: Project, home: string): Project | null {
  const path = [project.path, clonePath(project, home)].find((folder) => existsSync(folder));
  return path === undefined ? null : { ...project, path };
}

/** The runs of a project that this machine can't reach are left to others. */
export function whyNotReached(project: Project): StartBlock | null {
  return project.config.git?.remoteUrl === undefined ? { code: 'no_checkout', message: missing(project) } : null;
}

function clonePath(project: Project, home: string): string {
  return join(copiesFolder(home), project.id);
}

function missing(project: Project): string {
  return `${project.path} is not on this machine, and the project "${project.name}" names no remote to clone: say where it is with "attractor projects move ${project.key} PATH", set git.remoteUrl in its settings, or put a clone there.`;
}

/** An address as it may be stored and shown: a password belongs into git's own credential store. */
export function withoutSecret(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (parsed.password === '') return url;
  parsed.password = '';
  return parsed.toString();
}
