import type { PermissionMode } from '@attractor/policy';
import type { Controlled } from './controlled.ts';

const MODES: Readonly<Record<string, PermissionMode>> = {
  default: 'default',
  manual: 'default',
  acceptEdits: 'acceptEdits',
  plan: 'plan',
  dontAsk: 'dontAsk',
  bypassPermissions: 'bypassPermissions',
};

type Asked = { readonly mode: PermissionMode } | { readonly error: string };

/** The mode that a program asks for, if the person who started the run lets it. */
export function modeAsked({ mayBypass }: Pick<Controlled, 'mayBypass'>, wanted: unknown): Asked {
  const mode = typeof wanted === 'string' && Object.hasOwn(MODES, wanted) ? MODES[wanted] : undefined;
  if (mode === undefined)
    return { error: `there is no mode ${JSON.stringify(wanted)} here. Known: ${Object.keys(MODES).join(', ')}.` };
  if (mode === 'bypassPermissions' && !mayBypass)
    return {
      error:
        'bypassPermissions has to be allowed at the start, by --allow-dangerously-skip-permissions, and not be disabled by settings.',
    };
  return { mode };
}
