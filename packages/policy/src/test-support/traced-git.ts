import { join } from 'node:path';
import { traceCommands, type TracedCall } from '@attractor/confine/testing';
import type { Variables } from '@attractor/system';
import type { HostileWorld } from './hostile-git.ts';

/**
 * Really runs commands one after the other in the workspace of a world, and tells what they did that reading a repository does not: started
 * a program, wrote anything but git's index, connected, or opened what lies outside.
 */
export function traceGit(commands: ReadonlyArray<string>, world: HostileWorld, variables: Variables): string[] {
  const traced = traceCommands(commands, {
    mounts: ['--ro-bind', '/', '/', '--bind', world.top, world.top],
    folder: world.ws,
    logs: join(world.top, 'traces'),
    variables,
    timeoutMs: 120_000,
  });
  const missing = traced.flatMap(({ calls, status }) =>
    calls.length === 0 ? ['no trace'] : status === null ? ['does not end'] : [],
  );
  const found = traced.flatMap(({ calls }) => calls.flatMap((call) => findings(call, world)));
  return [...new Set([...missing, ...found])];
}

/** A shell, git and the parts it is made of, what shows a page of its manual; `head`, `xargs` and `cat` are in the commands. */
const EXPECTED_PROGRAM =
  /^(?:\/usr)?\/bin\/(?:bash|git|sh|head|xargs|cat)$|^\/usr\/bin\/(?:man|preconv|tbl|nroff|col|gzip|locale|groff|troff|grotty)$|^\/usr\/lib\/git-core\/git[\w-]*$/;
/** Git keeps what it learned of unchanged files in its index, under a lock, and in the part of it that is shared. */
const EXPECTED_CHANGE = /\/?(?:index\.lock|index|sharedindex[._]\w+)"|index\.lock/;

const EXPECTED_WRITE = /\/dev\/(?:null|tty)|index\.lock$|sharedindex_/;
/** A shell that is not told its name asks the system's directory of users. */
const UNIX_DIRECTORY = /^socket\(AF_UNIX|nscd/;

/** Git looks whether a folder that it does not track is a repository of its own, and shows nothing of that. */
const NESTED = /\/other\/\.git\/(?:HEAD|config|commondir|packed-refs|refs\/heads(?:\/main)?)$/;

function findings(call: TracedCall, { top, home }: HostileWorld): ReadonlyArray<string> {
  if (call.kind === 'starts') return EXPECTED_PROGRAM.test(call.path) ? [] : [`starts ${call.path}`];
  if (call.kind === 'connects') return UNIX_DIRECTORY.test(call.call) ? [] : [`connects ${call.call.slice(0, 120)}`];
  if (call.kind === 'changes') return !call.isDone || EXPECTED_CHANGE.test(call.call) ? [] : [call.call.slice(0, 120)];
  if (call.real === null) return [];
  if (call.real.startsWith(`${home}/letters`)) return [`reads ${call.real}`];
  if (call.real.startsWith(`${top}/other`) && !NESTED.test(call.real)) return [`reads ${call.real}`];
  return call.isWriting && !EXPECTED_WRITE.test(call.real) ? [`writes ${call.real}`] : [];
}
