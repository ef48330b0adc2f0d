import type { Request } from '../types/request.ts';

/** Letters, digits, `_` and `-`, at most 64: what every provider accepts. */
const WIRE_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

export type ToolNames = { readonly toWire: (name: string) => string; readonly fromWire: ReadonlyMap<string, string> };

/** Tool names that are valid on the wire, the same for the same request, and the way back. Two names never become one. */
export function wireToolNames(request: Pick<Request, 'tools' | 'messages'>): ToolNames {
  const toWire = new Map<string, string>();
  const fromWire = new Map<string, string>();
  for (const name of namesIn(request)) {
    if (toWire.has(name)) continue;
    const wire = unique(fit(name), fromWire);
    toWire.set(name, wire);
    fromWire.set(wire, name);
  }
  return { toWire: (name) => toWire.get(name) ?? fit(name), fromWire };
}

/** Valid names first, so that a fixed one never takes the name of another tool. */
function namesIn({ tools, messages }: Pick<Request, 'tools' | 'messages'>): ReadonlyArray<string> {
  const names = new Set((tools ?? []).map(({ name }) => name));
  for (const { role, content } of messages) {
    if (role === 'assistant') for (const part of content) if (part.kind === 'TOOL_CALL') names.add(part.toolName);
  }
  const all = [...names];
  return [...all.filter((name) => WIRE_NAME.test(name)), ...all.filter((name) => !WIRE_NAME.test(name))];
}

/** Such a name is sent unchanged, whatever other tools there are. */
export function isWireName(name: string): boolean {
  return WIRE_NAME.test(name);
}

function fit(name: string): string {
  if (WIRE_NAME.test(name)) return name;
  const safe = name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  const led = /^[A-Za-z_]/.test(safe) ? safe : `t_${safe}`;
  return led.slice(0, 64);
}

function unique(name: string, taken: ReadonlyMap<string, string>): string {
  if (!taken.has(name)) return name;
  for (let n = 2; ; n += 1) {
    const candidate = `${name.slice(0, 60)}_${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}
