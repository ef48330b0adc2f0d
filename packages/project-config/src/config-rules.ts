import { type JsonNode, nearName } from '@attractor/settings';

/**
 * What is valid at a place of a configuration. `leaf`: one value; `members`: an object with these keys and no others (`open`: others are
 * allowed, for other readers); `each`: an object of any keys with such values; `either`: the first form that has the value's shape; `any`:
 * not checked here.
 */
export type ConfigRule =
  | { readonly kind: 'leaf'; readonly expected: string; readonly fits: (value: unknown) => boolean }
  | {
      readonly kind: 'members';
      readonly members: Readonly<Record<string, ConfigRule>>;
      readonly open?: (value: object) => boolean;
    }
  | { readonly kind: 'each'; readonly rule: ConfigRule }
  | { readonly kind: 'either'; readonly expected: string; readonly forms: ReadonlyArray<ConfigRule> }
  | { readonly kind: 'any' };

/** `path` is dotted, such as `checks.test.severity`. */
export type ConfigProblem = { readonly path: string; readonly line: number; readonly message: string };

export function judgeConfig(node: JsonNode, rule: ConfigRule, path = ''): ReadonlyArray<ConfigProblem> {
  switch (rule.kind) {
    case 'any':
      return [];
    case 'leaf':
      return rule.fits(node.value) ? [] : [unfit(node, path, rule.expected)];
    case 'either': {
      const form = rule.forms.find((candidate) => hasShape(node, candidate));
      return form === undefined ? [unfit(node, path, rule.expected)] : judgeConfig(node, form, path);
    }
    case 'each':
      if (node.members === null) return [unfit(node, path, 'an object: { … }')];
      return [...node.members].flatMap(([key, member]) => judgeConfig(member, rule.rule, join(path, key)));
    case 'members':
      if (node.members === null) return [unfit(node, path, 'an object: { … }')];
      return judgeMembers({ node, rule, path });
  }
}

type Members = Extract<ConfigRule, { kind: 'members' }>;

function judgeMembers({ node, rule, path }: { node: JsonNode; rule: Members; path: string }) {
  const isOpen = typeof node.value === 'object' && node.value !== null && rule.open?.(node.value) === true;
  return [...(node.members ?? [])].flatMap(([key, member]) => {
    const inner = Object.hasOwn(rule.members, key) ? rule.members[key] : undefined;
    if (inner !== undefined) return judgeConfig(member, inner, join(path, key));
    return isOpen ? [] : [unknown({ line: member.keyLine, path, key, known: Object.keys(rule.members) })];
  });
}

type UnknownKey = {
  readonly line: number;
  readonly path: string;
  readonly key: string;
  readonly known: ReadonlyArray<string>;
};

function unknown({ line, path, key, known }: UnknownKey): ConfigProblem {
  const near = nearName(key, known);
  const hint = near === null ? `known here: ${known.join(', ')}` : `did you mean "${join(path, near)}"?`;
  return { path: join(path, key), line, message: `unknown key "${join(path, key)}": ${hint}` };
}

function unfit({ line }: JsonNode, path: string, expected: string): ConfigProblem {
  return { path, line, message: path === '' ? `expected ${expected}` : `"${path}" must be ${expected}` };
}

function hasShape(node: JsonNode, rule: ConfigRule): boolean {
  if (rule.kind === 'leaf') return rule.fits(node.value);
  return rule.kind === 'any' || node.members !== null;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
