import { describe, expect, it } from 'vitest';
import { readCodexRules } from './codex-rules.ts';

const ORIGIN = { scope: 'user', agent: 'codex', file: '/x.rules', line: null, name: null } as const;

function read(text: string) {
  const { entries, problems, unmapped } = readCodexRules({ form: 'codex-rules', text, origin: ORIGIN });
  return {
    rules: entries.map(
      ({ name, value, origin }) => `${name.replace('permissions.', '')} ${String(value)} ${origin.line}`,
    ),
    problems: problems.map(
      ({ message, origin, failsClosed }) => `${origin.line} ${failsClosed ? 'closed' : 'open'} ${message}`,
    ),
    left: unmapped.length,
  };
}

describe('rules of Codex', () => {
  it('become ours: words, alternatives and decisions', () => {
    const text = `# comment with prefix_rule("x")
prefix_rule(
    pattern = ["git", ["push", 'fetch'], """origin"""],  # both
    decision = "prompt",
    justification = "asks (always), \\"even\\" here",
    match = [["git", "push"], "git fetch"],
    not_match = [],
)
prefix_rule(pattern=["ls"])
prefix_rule(pattern=["rm"], decision="forb" "idden")`;
    expect(read(text)).toEqual({
      rules: [
        'ask Bash(git push origin *) 2',
        'ask Bash(git fetch origin *) 2',
        'allow Bash(ls *) 9',
        'deny Bash(rm *) 10',
      ],
      problems: [],
      left: 0,
    });
  });

  it.each([
    ['a decision that is no text', 'prefix_rule(pattern=["rm"], decision=FORBIDDEN)', 1],
    ['an unknown decision', '\nprefix_rule(pattern=["rm"], decision="never")', 2],
    ['no pattern', 'prefix_rule(decision="forbidden")', 1],
    ['an empty pattern', 'prefix_rule(pattern=[], decision="forbidden")', 1],
    ['an empty alternative', 'prefix_rule(pattern=["rm", []], decision="forbidden")', 1],
    ['a pattern that is a text', 'prefix_rule(pattern="rm", decision="forbidden")', 1],
    ['an argument that stands twice', 'prefix_rule(pattern=["a"],\n pattern=["rm"], decision="forbidden")', 2],
    ['an unknown argument', 'prefix_rule(patern=["rm"])', 1],
    ['an argument without a name', 'prefix_rule(["rm"], "forbidden")', 1],
    ['a program', 'x = 1\nprefix_rule(pattern=["a"])', 1],
    ['a computed pattern', 'prefix_rule(pattern=["a"] + ["b"])', 1],
    ['a call that does not end', 'prefix_rule(pattern=["a"],\n', 2],
    ['a text that does not end', '\nprefix_rule(pattern=["a)', 2],
    ['a denial that means something else here', 'prefix_rule(pattern=["a*"], decision="forbidden")', 1],
  ])('with %s stop the start', (_what, text, line) => {
    const { problems } = read(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${line} closed `));
  });

  it('that allow what can not be said here are listed', () => {
    expect(read('prefix_rule(pattern=["a*"])')).toEqual({ rules: [], problems: [], left: 1 });
  });
});
