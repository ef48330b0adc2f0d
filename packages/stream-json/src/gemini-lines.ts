import { isRecord } from '@attractor/base';
import type { Line } from './event-lines.ts';
import { callsIn, type Fields, resultsIn, textsIn } from './line-parts.ts';

/** Our lines as those of `gemini --output-format stream-json`. Work of subagents is not in them. */
export function createGeminiLines(now: () => Date = () => new Date()): (line: Line) => ReadonlyArray<Line> {
  let calls = 0;
  const at = (type: string, fields: Fields): Line => ({ type, timestamp: now().toISOString(), ...fields });
  return (line) => {
    if (typeof line['parent_tool_use_id'] === 'string') return [];
    if (line.type === 'system' && line['subtype'] === 'init')
      return [at('init', { session_id: line['session_id'], model: line['model'] })];
    if (line.type === 'assistant')
      return [
        ...textsIn(line)
          .filter(({ kind }) => kind === 'text')
          .map(({ text }) => at('message', { role: 'assistant', content: text, delta: true })),
        ...callsIn(line).map(({ id, name, input }) => {
          calls += 1;
          return at('tool_use', { tool_name: name, tool_id: id, parameters: input });
        }),
      ];
    if (line.type === 'user')
      return resultsIn(line).map(({ id, text, isError }) =>
        at('tool_result', {
          tool_id: id,
          status: isError ? 'error' : 'success',
          output: text,
          ...(isError ? { error: { type: 'TOOL_EXECUTION_ERROR', message: text } } : {}),
        }),
      );
    if (line.type !== 'result') return [];
    const status = line['is_error'] === true ? 'error' : 'success';
    const error = status === 'error' ? { error: errorOf(line) } : {};
    return [at('result', { status, ...error, stats: { ...totalsOf(line), tool_calls: calls } })];
  };
}

/** The one object of `gemini --output-format json`. */
export function geminiAnswer(result: Line): Line {
  const session = { session_id: result['session_id'] };
  if (result['is_error'] === true) return shaped({ ...session, error: { ...errorOf(result), code: 1 } });
  return shaped({ ...session, response: result['result'], stats: { models: modelsOf(result) } });
}

/** Their object has no type. */
function shaped(fields: Fields): Line {
  return fields as Line;
}

function errorOf(result: Line): Fields {
  return { type: String(result['subtype']), message: String(result['result']) };
}

function totalsOf(result: Line): Fields {
  const usage: Fields = isRecord(result['usage']) ? result['usage'] : {};
  const count = (name: string): number => Number(usage[name] ?? 0);
  const cached = count('cache_read_input_tokens');
  const input = count('input_tokens') + cached + count('cache_creation_input_tokens');
  return {
    total_tokens: input + count('output_tokens'),
    input_tokens: input,
    output_tokens: count('output_tokens'),
    cached,
    input: input - cached,
    duration_ms: result['duration_ms'],
  };
}

function modelsOf(result: Line): Fields {
  const used = isRecord(result['modelUsage']) ? Object.entries(result['modelUsage']) : [];
  return Object.fromEntries(
    used.map(([model, usage]) => {
      const count = (name: string): number => Number(isRecord(usage) ? (usage[name] ?? 0) : 0);
      const cached = count('cacheReadInputTokens');
      const prompt = count('inputTokens') + cached + count('cacheCreationInputTokens');
      const candidates = count('outputTokens');
      return [model, { tokens: { prompt, candidates, total: prompt + candidates, cached } }];
    }),
  );
}
