import { meaningOf, type PermissionRow } from '../settings/foreign/opencode-permission.ts';

/** What opencode's `permission` and `tools` of an agent forbid, as rules. `unmapped`: what they allow or ask, which needs no rule. */
export type PermissionLimits =
  | { readonly ok: true; readonly denied: ReadonlyArray<string>; readonly unmapped: ReadonlyArray<string> }
  | { readonly ok: false; readonly message: string };

export function permissionLimits(permission: unknown, tools: unknown): PermissionLimits {
  const denied = new Set<string>();
  const unmapped: string[] = [];
  for (const rows of [rowsOf(permission), switchedOff(tools)]) {
    for (const [at, { tool, action }] of rows.entries()) {
      const { behavior, rules, reason = '', isLost, isUnknown } = meaningOf(rows, at);
      const why = isUnknown === true && action === 'deny' ? 'forbids a tool that is not known here' : reason;
      if (isLost === true || why !== reason)
        return { ok: false, message: `"permission.${tool}" ${why}. The agent is not used until this is fixed` };
      if (action !== 'deny' || rules === undefined) unmapped.push(tool);
      else if (behavior === 'deny') for (const rule of rules) denied.add(rule);
    }
  }
  return { ok: true, denied: [...denied], unmapped };
}

function rowsOf(permission: unknown): ReadonlyArray<PermissionRow> {
  if (permission === undefined || permission === null) return [];
  if (typeof permission !== 'object' || Array.isArray(permission))
    return [{ tool: '*', pattern: '*', action: permission }];
  return Object.entries(permission).flatMap(([tool, said]): ReadonlyArray<PermissionRow> =>
    typeof said === 'object' && said !== null
      ? Object.entries(said).map(([pattern, action]: [string, unknown]) => ({ tool, pattern, action }))
      : [{ tool, pattern: '*', action: said }],
  );
}

/** The older form: `tools: { write: false }`. */
function switchedOff(tools: unknown): ReadonlyArray<PermissionRow> {
  if (typeof tools !== 'object' || tools === null)
    return tools === undefined || tools === null ? [] : [{ tool: 'tools', pattern: '*', action: tools }];
  return Object.entries(tools).map(([tool, on]: [string, unknown]) => ({
    tool,
    pattern: '*',
    action: on === true ? 'allow' : on === false ? 'deny' : on,
  }));
}
