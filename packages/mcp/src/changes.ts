import { isDeepStrictEqual } from 'node:util';
import type { Connection } from './connection.ts';
import type { McpServerDefinition } from './definition.ts';
import { serverKey } from './names.ts';

/** What a program may do to the servers of a session while it runs; one thing after the other. Answers are null, or why it was not done. */
export type McpChanges = {
  /** Ends a server and starts it anew. */
  readonly reconnect: (name: string) => Promise<string | null>;
  /** A server that is switched off offers nothing and does not run. */
  readonly toggle: (name: string, isOn: boolean) => Promise<string | null>;
  /** Replaces the servers that were given so before, and those inside the program. The others stay, unless one of the same name is given. */
  readonly replace: (given: ReadonlyArray<McpServerDefinition>) => Promise<McpReplaced>;
  /** Servers of these names go, others come; one that stays as it is goes on. A server that was there under the name of one that comes wins. */
  readonly exchange: (gone: ReadonlyArray<string>, given: ReadonlyArray<McpServerDefinition>) => Promise<McpReplaced>;
};

/** By name. `errors`: why a server that was added is not there. */
export type McpReplaced = {
  readonly added: ReadonlyArray<string>;
  readonly removed: ReadonlyArray<string>;
  readonly errors: Readonly<Record<string, string>>;
};

type Keyed = { readonly definition: McpServerDefinition; readonly key: string };

/** The servers as they are; what is changed is changed here. */
export type ServerSet = {
  readonly keyed: Keyed[];
  /** Of those that are used and switched on. */
  readonly connections: Map<string, Connection>;
  readonly off: Set<string>;
  readonly taken: Set<string>;
  readonly connect: (definition: McpServerDefinition) => Connection;
  readonly isUsed: (definition: McpServerDefinition) => boolean;
};

/** `end`: nothing is started any more. */
export function mcpChanges(set: ServerSet): McpChanges & { readonly end: () => void } {
  const named = new Set<string>();
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const start = async ({ key, definition }: Keyed): Promise<string | null> => {
    if (isOver) return 'The session is over.';
    const connection = set.connect(definition);
    set.connections.set(key, connection);
    const started = await connection.start();
    return started.ok ? null : started.error.message;
  };
  return {
    end: () => (isOver = true),
    reconnect: (name) =>
      inTurn(async () => {
        const found = usableOf(set, name);
        if (typeof found === 'string') return found;
        if (set.off.has(found.key)) return `The MCP server ${name} is switched off: switch it on.`;
        await set.connections.get(found.key)?.close();
        return start(found);
      }),
    toggle: (name, isOn) =>
      inTurn(async () => {
        const found = usableOf(set, name);
        if (typeof found === 'string') return found;
        if (isOn) return set.off.delete(found.key) ? start(found) : null;
        set.off.add(found.key);
        await disconnect(set, found.key);
        return null;
      }),
    replace: (given) =>
      inTurn(async () => {
        const isGone = ({ name, transport }: McpServerDefinition): boolean =>
          named.has(name) || transport.kind === 'host';
        const replaced = await replace(set, { given, isGone, start });
        named.clear();
        for (const { name } of given) named.add(name);
        return replaced;
      }),
    exchange: (gone, given) =>
      inTurn(() => {
        const isGone = ({ name, scope }: McpServerDefinition): boolean => scope !== 'flag' && gone.includes(name);
        const stay = new Set(
          set.keyed.filter((one) => !isGone(one.definition)).map(({ definition }) => definition.name),
        );
        return replace(set, { given: given.filter(({ name }) => !stay.has(name)), isGone, start });
      }),
  };
}

function usableOf({ keyed, isUsed }: ServerSet, name: string): Keyed | string {
  const found = keyed.find(({ definition, key }) => definition.name === name || key === name);
  if (found !== undefined && isUsed(found.definition)) return found;
  if (found !== undefined) return `The repository defines the MCP server ${name}, and nobody trusted that.`;
  const names = keyed.map(({ definition }) => definition.name);
  return `There is no MCP server ${name}. ${names.length === 0 ? 'None was given.' : `Known: ${names.join(', ')}.`}`;
}

async function disconnect({ connections }: ServerSet, key: string): Promise<void> {
  const connection = connections.get(key);
  connections.delete(key);
  await connection?.close();
}

type Replacing = {
  readonly given: ReadonlyArray<McpServerDefinition>;
  readonly isGone: (definition: McpServerDefinition) => boolean;
  readonly start: (one: Keyed) => Promise<string | null>;
};

async function replace(set: ServerSet, { given, isGone, start }: Replacing): Promise<McpReplaced> {
  const wanted = new Map(given.map((definition) => [definition.name, definition]));
  const before = set.keyed.map(({ definition }) => definition);
  const gone = before.filter((one) => !wanted.has(one.name) && isGone(one));
  const fresh = [...wanted.values()].filter((one) => !before.some((other) => isSame(one, other)));
  const dropped = new Set([...gone, ...fresh].map(({ name }) => name));
  for (const one of set.keyed.filter(({ definition }) => dropped.has(definition.name))) await drop(set, one);
  const added = fresh.map((definition) => ({ definition, key: serverKey(definition.name, set.taken) }));
  set.keyed.push(...added);
  const starts = await Promise.all(added.map(async (one) => [one.definition.name, await start(one)] as const));
  return {
    added: added.map(({ definition }) => definition.name),
    removed: gone.map(({ name }) => name),
    errors: Object.fromEntries(starts.flatMap(([name, problem]) => (problem === null ? [] : [[name, problem]]))),
  };
}

async function drop(set: ServerSet, one: Keyed): Promise<void> {
  set.keyed.splice(set.keyed.indexOf(one), 1);
  set.taken.delete(one.key);
  set.off.delete(one.key);
  await disconnect(set, one.key);
}

/** A server inside the program is told apart by its name alone. */
function isSame(one: McpServerDefinition, other: McpServerDefinition): boolean {
  if (one.name !== other.name) return false;
  return one.transport.kind === 'host' && other.transport.kind === 'host' ? true : isDeepStrictEqual(one, other);
}
