import { isRecord } from '@attractor/base';

/** What one line of `policy check --batch` asks. Absent lists are empty. */
export type BatchLine = {
  readonly command: string;
  readonly mode: 'read-only' | 'auto' | 'rules';
  readonly allow: ReadonlyArray<string>;
  readonly ask: ReadonlyArray<string>;
  readonly deny: ReadonlyArray<string>;
  readonly default: 'allow' | 'ask' | 'deny';
  readonly cwd: string | null;
};

/** A parsed line, or what is wrong with it. */
export function parseBatchLine(text: string): BatchLine | { readonly wrong: string } {
  const value = parse(text);
  if (!isRecord(value)) return { wrong: 'the line is not a JSON object' };
  const { command, mode = 'read-only', default: fallback = 'ask', cwd = null } = value;
  if (typeof command !== 'string') return { wrong: '"command" must be a text' };
  if (mode !== 'read-only' && mode !== 'auto' && mode !== 'rules')
    return { wrong: '"mode" must be read-only, auto or rules' };
  if (fallback !== 'allow' && fallback !== 'ask' && fallback !== 'deny')
    return { wrong: '"default" must be allow, ask or deny' };
  if (cwd !== null && (typeof cwd !== 'string' || cwd.includes('\0'))) return { wrong: '"cwd" must be a path' };
  const lists = [value['allow'] ?? [], value['ask'] ?? [], value['deny'] ?? []];
  const [allow, ask, deny] = lists.map((list) => (isTexts(list) ? list : null));
  if (!allow || !ask || !deny) return { wrong: '"allow", "ask" and "deny" must be lists of texts' };
  return { command, mode, allow, ask, deny, default: fallback, cwd };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isTexts(value: unknown): value is ReadonlyArray<string> {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
