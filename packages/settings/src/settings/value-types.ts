import type { JsonNode } from './json-with-lines.ts';

/** A value, or one entry of a list or map (`key`), on its line. */
export type ReadItem = { readonly key: string | null; readonly value: unknown; readonly line: number };

/** An entry that can't be used; the others are. */
type LeftItem = { readonly key: string; readonly line: number; readonly expected: string };

export type ValueReading =
  | { readonly ok: true; readonly items: ReadonlyArray<ReadItem>; readonly left?: ReadonlyArray<LeftItem> }
  | { readonly ok: false; readonly line: number; readonly expected: string };

export type ValueType =
  | 'text'
  | 'switch'
  | 'number'
  | 'texts'
  | 'mode'
  | 'disable'
  | 'inherit'
  | 'text-map'
  | 'object-map'
  | 'withheld'
  | 'field-map'
  | 'checks'
  | 'whole'
  | 'status-line'
  | 'hooks';

export function readValue(type: ValueType, node: JsonNode): ValueReading {
  return TYPES[type](node);
}

export const MODES: ReadonlyArray<string> = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'];

const INHERIT: ReadonlyArray<string> = ['all', 'core', 'none'];

/** Other agents' names for our modes, or for the nearest stricter one. */
const MODE_NAMES: Readonly<Record<string, string>> = { manual: 'default', auto: 'default' };

const TYPES: Readonly<Record<ValueType, (node: JsonNode) => ValueReading>> = {
  text: (node) => single(node, typeof node.value === 'string' && node.value !== '', 'a text such as "…"'),
  switch: (node) => single(node, typeof node.value === 'boolean', 'true or false'),
  number: (node) => single(node, typeof node.value === 'number' && node.value >= 0, 'a number from 0 up'),
  texts: (node) => list(node, (item) => typeof item.value === 'string', 'a list of texts such as ["…"]'),
  mode: readMode,
  disable: (node) => single(node, node.value === 'disable', 'the text "disable"'),
  inherit: (node) =>
    single(node, typeof node.value === 'string' && INHERIT.includes(node.value), `one of ${INHERIT.join(', ')}`),
  'text-map': readTextMap,
  'object-map': readObjects,
  withheld: readWithheld,
  'field-map': readFieldMap,
  checks: (node) =>
    map(
      node,
      (member) => ['string', 'boolean'].includes(typeof member.value) || member.members !== null,
      'checks by name: a command, an object with "command", or true or false for one that is built in',
    ),
  /* Parsed and checked by the code that uses it. */
  whole: (node) => single(node, true, 'anything'),
  'status-line': (node) =>
    single(node, typeof node.members?.get('command')?.value === 'string', '{ "type": "command", "command": "…" }'),
  hooks: readHooks,
};

function single(node: JsonNode, holds: boolean, expected: string): ValueReading {
  if (!holds) return { ok: false, line: node.line, expected };
  return { ok: true, items: [{ key: null, value: node.value, line: node.keyLine }] };
}

function readMode(node: JsonNode): ValueReading {
  const value = MODE_NAMES[String(node.value)] ?? node.value;
  const holds = typeof value === 'string' && MODES.includes(value);
  return single({ ...node, value }, holds, `one of ${MODES.join(', ')}`);
}

function list(node: JsonNode, holds: (item: JsonNode) => boolean, expected: string): ValueReading {
  if (node.items === null) return { ok: false, line: node.line, expected };
  const bad = node.items.find((item) => !holds(item));
  if (bad !== undefined) return { ok: false, line: bad.line, expected };
  return { ok: true, items: node.items.map(({ value, line }) => ({ key: null, value, line })) };
}

function map(node: JsonNode, holds: (member: JsonNode) => boolean, expected: string): ValueReading {
  if (node.members === null) return { ok: false, line: node.line, expected };
  const members = [...node.members];
  const bad = members.find(([, member]) => !holds(member));
  if (bad !== undefined) return { ok: false, line: bad[1].line, expected };
  return { ok: true, items: members.map(([key, { value, keyLine }]) => ({ key, value, line: keyLine })) };
}

/** Files or variables that commands do not see as they are: by `path` or `name`. What is to be masked is not seen at all. */
function readWithheld(node: JsonNode): ValueReading {
  const expected = 'a list of objects such as [{ "path" or "name": "…", "mode": "deny" }]';
  if (node.items === null) return { ok: false, line: node.line, expected };
  const named = node.items.map(({ members, line }) => {
    const mode = members?.get('mode')?.value;
    const value = members?.get('path')?.value ?? members?.get('name')?.value;
    const holds = typeof value === 'string' && value !== '' && (mode === 'deny' || mode === 'mask');
    return { key: null, value, line, holds };
  });
  const bad = named.find(({ holds }) => !holds);
  if (bad !== undefined) return { ok: false, line: bad.line, expected };
  return { ok: true, items: named.map(({ key, value, line }) => ({ key, value, line })) };
}

/** An entry that is no object costs itself alone. */
function readObjects(node: JsonNode): ValueReading {
  if (node.members === null) return { ok: false, line: node.line, expected: 'an object of objects by name' };
  const members = [...node.members];
  const isUsable = ([, { members: own }]: (typeof members)[number]): boolean => own !== null;
  const left = members.filter((member) => !isUsable(member));
  return {
    ok: true,
    items: members.filter(isUsable).map(([key, { value, keyLine }]) => ({ key, value, line: keyLine })),
    left: left.map(([key, { line }]) => ({ key, line, expected: 'an object' })),
  };
}

/** A number or a switch is a text there: Claude Code takes `"MAX_THINKING_TOKENS": 8000` as one. */
function readTextMap(node: JsonNode): ValueReading {
  const isPlain = ({ value }: JsonNode): boolean => ['string', 'number', 'boolean'].includes(typeof value);
  const read = map(node, isPlain, 'an object of texts such as { "NAME": "…" }');
  return read.ok ? { ok: true, items: read.items.map((item) => ({ ...item, value: String(item.value) })) } : read;
}

/** Each field of each object is a separate value: `anthropic.apiKey`. */
function readFieldMap(node: JsonNode): ValueReading {
  const whole = map(node, (member) => member.members !== null, 'an object of objects by name');
  if (!whole.ok) return whole;
  const items = [...(node.members ?? [])].flatMap(([name, member]) =>
    [...(member.members ?? [])].map(([field, { value, keyLine }]) => ({
      key: `${name}.${field}`,
      value,
      line: keyLine,
    })),
  );
  return { ok: true, items };
}

const HOOKS = 'hooks by event: { "PreToolUse": [{ "matcher": "…", "hooks": [{ "type": "command", … }] }] }';

/** One item for each group of each event; everything in a group besides `hooks` is left to the code that runs them. */
function readHooks(node: JsonNode): ValueReading {
  if (node.members === null) return { ok: false, line: node.line, expected: HOOKS };
  const items: ReadItem[] = [];
  for (const [event, groups] of node.members) {
    if (groups.items === null) return { ok: false, line: groups.line, expected: HOOKS };
    for (const group of groups.items) {
      const handlers = group.members?.get('hooks')?.items;
      if (handlers === undefined || handlers === null || handlers.some((handler) => handler.members === null))
        return { ok: false, line: group.line, expected: HOOKS };
      items.push({ key: event, value: group.value, line: group.line });
    }
  }
  return { ok: true, items };
}
