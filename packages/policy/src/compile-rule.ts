import type { ContentKind } from '@attractor/tool-table';
import { readDomainPattern } from './domain-pattern.ts';
import { parameterOf } from './parse-rule.ts';
import { readPathPattern, type PathPattern, type PatternPlaces } from './path-pattern.ts';
import { contentKindOf, matchesStars, namesTool } from './rule-names.ts';
import type { PermissionRule, PolicyCall } from './types.ts';

/**
 * A compiled rule. `content` null: it covers everything its tools do. A content that can't be parsed covers the whole tool in a rule that
 * denies or asks, and nothing in one that allows.
 */
export type CompiledRule = {
  readonly rule: PermissionRule;
  readonly content: Content | null;
  readonly kind: ContentKind;
};

export type Content =
  | { readonly kind: 'command'; readonly text: string }
  /** Every command but these. */
  | { readonly kind: 'others'; readonly but: ReadonlyArray<string> }
  | { readonly kind: 'path'; readonly pattern: PathPattern }
  | { readonly kind: 'host'; readonly matches: (host: string) => boolean }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'parameter'; readonly name: string; readonly value: string }
  | { readonly kind: 'nothing' };

export function compileRule(rule: PermissionRule, places: Omit<PatternPlaces, 'root'>): CompiledRule {
  const kind = contentKindOf(rule.tool);
  if (rule.content === null) return { rule, kind, content: null };
  const content = readContent(rule.tool, rule.content, { ...places, root: rule.origin.root });
  return { rule, kind, content: content ?? (rule.behavior === 'allow' ? { kind: 'nothing' } : null) };
}

function readContent(tool: string, text: string, places: PatternPlaces): Content | null {
  const kind = contentKindOf(tool);
  const parameter = kind === 'command' && text.endsWith(':*') ? null : parameterOf(tool, text);
  if (parameter !== null) return { kind: 'parameter', ...parameter };
  if (kind === 'command' && text.startsWith('!')) return { kind: 'others', but: text.slice(1).split(' | ') };
  if (kind === 'command') return { kind: 'command', text };
  if (kind === 'agent' || kind === 'skill') return { kind: 'name', text };
  if (kind === 'domain') {
    const matches = text.startsWith('domain:') ? readDomainPattern(text.slice('domain:'.length)) : null;
    return matches === null ? null : { kind: 'host', matches };
  }
  const read = kind === 'parameter' ? null : readPathPattern(text, places);
  return read?.ok === true ? { kind: 'path', pattern: read.pattern } : null;
}

/** Whether the rule covers every call of this tool, or this one because of a parameter's value. */
export function speaksOfCall({ rule, content }: CompiledRule, { toolName, args }: PolicyCall): boolean {
  if (!namesTool(rule.tool, toolName)) return false;
  if (content === null) return true;
  if (content.kind !== 'parameter' || !Object.hasOwn(args, content.name)) return false;
  const value = args[content.name];
  return matchesStars(content.value, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}

/** `docs`, or `docs *` for the name with anything after it. */
export function matchesName(pattern: string, name: string): boolean {
  if (pattern.endsWith(' *') || pattern.endsWith(':*')) {
    const start = pattern.slice(0, -2);
    return name === start || name.startsWith(`${start} `) || name.startsWith(`${start}:`);
  }
  return matchesStars(pattern, name);
}
