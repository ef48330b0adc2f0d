import type { ModelRequest } from '../protocol.ts';
import type { Expectation, Pattern, Turn } from '../script/types.ts';
import { describePattern, matches } from './patterns.ts';

/** The first expectation that the request does not meet, described; nothing if all are met. */
export function unmetExpectation(turn: Turn, request: ModelRequest): string | undefined {
  const expectations = turn.expect === undefined ? [] : Array.isArray(turn.expect) ? turn.expect : [turn.expect];
  for (const expectation of expectations) {
    const problem = textProblem(expectation, request) ?? toolProblem(expectation, request);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function textProblem(expectation: Expectation, request: ModelRequest): string | undefined {
  const results = request.toolResults.join('\n');
  const checks: [string, Pattern | undefined, () => string][] = [
    ['the last user text', expectation.lastUser, () => request.lastUser],
    ['the first user text', expectation.firstUser, () => request.firstUser],
    ['the system prompt', expectation.system, () => request.system],
    ['the tool results', expectation.toolResult, () => results],
    ['the model', expectation.model, () => request.model],
    ['the body', expectation.body, () => JSON.stringify(request.body)],
    ...Object.entries(expectation.headers ?? {}).map(([name, pattern]): [string, Pattern, () => string] => [
      `the header ${name}`,
      pattern,
      () => request.headers[name.toLowerCase()] ?? '',
    ]),
  ];
  for (const [what, pattern, text] of checks) {
    if (pattern === undefined || matches(pattern, text())) continue;
    return `expected ${what} ${describePattern(pattern)}, but it is ${JSON.stringify(shorten(text()))}`;
  }
  return undefined;
}

function toolProblem(expectation: Expectation, request: ModelRequest): string | undefined {
  const names = request.tools.map((tool) => tool.name);
  const missing = (expectation.tools ?? []).filter((name) => !names.includes(name));
  if (missing.length > 0)
    return `expected the tools ${missing.join(', ')} to be declared, but got: ${names.join(', ') || 'none'}`;
  const extra = (expectation.noTools ?? []).filter((name) => names.includes(name));
  if (extra.length > 0) return `expected the tools ${extra.join(', ')} not to be declared`;
  const count = expectation.toolResults;
  if (count !== undefined && count !== request.toolResults.length) {
    return `expected ${count} tool results, but got ${request.toolResults.length}`;
  }
  return undefined;
}

function shorten(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}
