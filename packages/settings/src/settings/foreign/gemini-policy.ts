import { isRecord } from '@attractor/base';
import type { Source, SourceReading } from '../source.ts';
import { tomlOf } from './codex.ts';
import { EVERY_GEMINI_RULE, ruleFor } from './gemini-tools.ts';
import { type ForeignReading, prefixRule, startReading } from './reading.ts';

const DECISIONS: Readonly<Record<string, string>> = { allow: 'allow', ask_user: 'ask', deny: 'deny' };

/**
 * `policies/*.toml`: rules about a tool, about those of a server, or about commands that begin with certain words. Priorities are replaced
 * by the order deny, ask, allow.
 */
export function readGeminiPolicy(source: Source): SourceReading {
  const reading = startReading(source);
  const table = tomlOf(source, reading);
  const rules = [table?.['rule'] ?? []].flat();
  const lines = [...source.text.matchAll(/^[ \t]*\[\[?[ \t]*rule\b/gm)].map(
    ({ index }) => source.text.slice(0, index).split('\n').length,
  );
  for (const [index, rule] of rules.entries()) {
    const line = lines[index] ?? null;
    if (isRecord(rule)) readPolicy(reading.under('rule'), rule, line);
    else reading.fail(line, '"rule" must be a table: [[rule]]');
  }
  for (const key of Object.keys(table ?? {})) if (key !== 'rule') reading.leave(key, null);
  return reading;
}

/** A rule in that program's own terms was written for its models: others are not kept from starting by it. */
const ONLY_FOR = 'gemini';

const NARROWING = ['argsPattern', 'commandRegex', 'modes', 'toolAnnotations', 'subagent', 'interactive'];

type Rule = Readonly<Record<string, unknown>>;

function readPolicy(reading: ForeignReading, rule: Rule, line: number | null): void {
  const decision = String(rule['decision']);
  const behavior = Object.hasOwn(DECISIONS, decision) ? DECISIONS[decision] : undefined;
  if (behavior === undefined) return reading.fail(line, '"decision" must be allow, ask_user or deny');
  const narrows = NARROWING.find((key) => rule[key] !== undefined);
  for (const [text, mapped] of meantBy(rule)) {
    const what = narrows === undefined ? `the rule about "${text}"` : `the rule about "${text}" with "${narrows}"`;
    const isMapped = mapped.length > 0 && narrows === undefined && !(text === '*' && behavior === 'allow');
    if (isMapped) for (const one of mapped) reading.entry(`permissions.${behavior}`, one, { line });
    else if (behavior === 'deny') reading.fail(line, `${what} does not map: write it in config.json`, ONLY_FOR);
    else reading.leave(`rule: ${text}`, line);
  }
}

/** What the rule names, with the rules for it here; none if it does not map. */
function meantBy(rule: Rule): ReadonlyArray<readonly [text: string, rules: ReadonlyArray<string>]> {
  const texts = (key: string): ReadonlyArray<string> => [rule[key] ?? '*'].flat().map(String);
  const listed = (one: string | null): ReadonlyArray<string> => (one === null ? [] : [one]);
  if (rule['commandPrefix'] !== undefined)
    return texts('commandPrefix').map((text) => [text, listed(prefixRule(text.split(/\s+/).filter(Boolean)))]);
  if (rule['mcpName'] !== undefined)
    return texts('mcpName').flatMap((server) =>
      texts('toolName').map((tool) => [`${server}__${tool}`, listed(serverRule(server, tool))] as const),
    );
  return texts('toolName').map((text) => [text, text === '*' ? EVERY_GEMINI_RULE : listed(ruleFor(text))]);
}

function serverRule(server: string, tool: string): string | null {
  if (!/^[\w.*-]+$/.test(server) || !/^[\w.*-]+$/.test(tool)) return null;
  return tool === '*' && server !== '*' ? `mcp__${server}` : `mcp__${server}__${tool}`;
}
