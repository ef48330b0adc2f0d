import { createHash } from 'node:crypto';
import type pg from 'pg';

/** A connection keeps a plan for each name: texts beyond these, and those that name long lists, are planned each time. */
const MOST_NAMES = 500;
const LONGEST_TEXT = 4_000;

/** A table was changed since its plan was made. */
const OUTDATED_PLAN = '0A000';
/** Whoever stands between us and the server hands its connections around without our names. */
const UNKNOWN_NAME = new Set(['26000', '42P05']);

/**
 * Names for statements, so that a connection plans each only once. A statement with parameters gets its name when it is sent a second time
 * (one without may be several, which can't be prepared). The name is made from the text: the same name never means another statement, not
 * even to a pooler that shares connections between processes.
 */
export function createStatementNames() {
  const names = new Map<string, string | null>();
  let isUsed = true;
  const nameFor = (text: string): string | undefined => {
    if (!isUsed || text.length > LONGEST_TEXT) return undefined;
    const name = names.get(text);
    if (name === undefined) {
      if (names.size < MOST_NAMES) names.set(text, '');
      return undefined;
    }
    if (name !== '') return name ?? undefined;
    const made = `attractor-${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`;
    names.set(text, made);
    return made;
  };
  return {
    /** What to send for a statement. */
    prepare: (text: string, values: ReadonlyArray<unknown>): pg.QueryConfig => {
      const name = values.length === 0 ? undefined : nameFor(text);
      return { text, values: [...values], ...(name === undefined ? {} : { name }) };
    },
    /** If a statement failed for its name's sake, it has none from now on. */
    note: (text: string, error: unknown): void => {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === OUTDATED_PLAN) names.set(text, null);
      if (typeof code === 'string' && UNKNOWN_NAME.has(code)) isUsed = false;
    },
  };
}

export type StatementNames = ReturnType<typeof createStatementNames>;
