import { OPENCODE_RULES } from '../settings/foreign/opencode-tools.ts';

/** What opencode's `permission` and `tools` of an agent forbid, as rules. `unmapped`: what they allow or ask, which needs no rule. */
export type PermissionLimits =
  | { readonly ok: true; readonly denied: ReadonlyArray<string>; readonly unmapped: ReadonlyArray<string> }
  | { readonly ok: false; readonly message: string };

export function permissionLimits(permission: unknown, tools: unknown): PermissionLimits {
  const denied = new Set<string>();
  const unmapped: string[] = [];
  const rows = [...rowsOf(permission), ...switchedOff(tools)];
  for (const [name, pattern, action] of rows) {
    if (action !== 'allow' && action !== 'ask' && action !== 'deny')
      return {
        ok: false,
        message: `"permission.${name}" must be "allow", "ask" or "deny". The agent is not used until this is fixed`,
      };
    const rule = Object.hasOwn(OPENCODE_RULES, name) ? OPENCODE_RULES[name] : undefined;
    if (action !== 'deny') unmapped.push(name);
    else if (name === '*') for (const every of Object.values(OPENCODE_RULES)) denied.add(every);
    else if (rule === undefined)
      return { ok: false, message: `"permission.${name}" forbids a tool that is not known here` };
    else denied.add(pattern === '*' ? rule : `${rule}(${pattern})`);
  }
  return { ok: true, denied: [...denied], unmapped };
}

type Row = readonly [name: string, pattern: string, action: unknown];

function rowsOf(permission: unknown): ReadonlyArray<Row> {
  if (permission === undefined || permission === null) return [];
  if (typeof permission !== 'object' || Array.isArray(permission)) return [['*', '*', permission]];
  return Object.entries(permission).flatMap(([name, said]): ReadonlyArray<Row> =>
    typeof said === 'object' && said !== null
      ? Object.entries(said).map(([pattern, action]: [string, unknown]) => [name, pattern, action] as const)
      : [[name, '*', said]],
  );
}

/** The older form: `tools: { write: false }`. */
function switchedOff(tools: unknown): ReadonlyArray<Row> {
  if (typeof tools !== 'object' || tools === null)
    return tools === undefined || tools === null ? [] : [['tools', '*', tools]];
  return Object.entries(tools).map(([name, on]: [string, unknown]) => [
    name,
    '*',
    on === true ? 'allow' : on === false ? 'deny' : on,
  ]);
}
