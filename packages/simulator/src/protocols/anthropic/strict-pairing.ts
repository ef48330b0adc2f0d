import { isObject, type JsonObject, stringOf } from '../../wire/json.ts';
import type { Failure } from '../../protocol.ts';
import { firstDuplicate, firstFailure, firstOf, invalid } from '../refuse.ts';
import { blocksOf, ofType } from './content.ts';

interface Turn {
  role: string;
  index: number;
  blocks: JsonObject[];
}

/** Every call is answered at the very start of the next user turn, exactly once, and nothing else is answered. */
export function checkPairing(messages: JsonObject[]): Failure | undefined {
  const turns = mergeTurns(messages);
  return firstFailure([
    () => checkIds(turns),
    () => firstOf(turns, (turn, index) => checkAnswers(turn, turns[index - 1])),
    () => firstOf(turns, (turn, index) => checkAnswered(turn, turns[index + 1])),
  ]);
}

/** Neighbouring messages of one role are one turn for the service. */
function mergeTurns(messages: JsonObject[]): Turn[] {
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    const role = stringOf(message['role']);
    const previous = turns.at(-1);
    const blocks = blocksOf(message['content']);
    if (previous?.role === role) previous.blocks.push(...blocks);
    else turns.push({ role, index, blocks: [...blocks] });
  }
  return turns;
}

function checkIds(turns: Turn[]): Failure | undefined {
  const calls = turns.flatMap((turn) => ofType(turn.blocks, 'tool_use').map((block) => ({ block, turn })));
  const malformed = firstOf(calls, ({ block, turn }) => {
    const place = `messages.${turn.index}.content.${turn.blocks.indexOf(block)}.tool_use`;
    if (typeof block['id'] !== 'string') return invalid(`${place}.id: Field required`);
    if (!/^[a-zA-Z0-9_-]+$/.test(block['id']))
      return invalid(`${place}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    if (!/^[a-zA-Z0-9_-]{1,200}$/.test(stringOf(block['name']))) {
      return invalid(`${place}.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'`);
    }
    return isObject(block['input']) ? undefined : invalid(`${place}.input: Input should be a valid dictionary`);
  });
  if (malformed) return malformed;
  const twice = firstDuplicate(calls.map(({ block }) => stringOf(block['id'])));
  return twice === undefined ? undefined : invalid('messages: `tool_use` ids must be unique');
}

function checkAnswers(turn: Turn, previous: Turn | undefined): Failure | undefined {
  const results = ofType(turn.blocks, 'tool_result');
  const asked = new Set(ofType(previous?.blocks ?? [], 'tool_use').map((block) => block['id']));
  const orphan = firstOf(results, (block) => {
    const place = `messages.${turn.index}.content.${turn.blocks.indexOf(block)}`;
    const id = block['tool_use_id'];
    if (typeof id !== 'string') return invalid(`${place}.tool_result.tool_use_id: Field required`);
    if (asked.has(id)) return undefined;
    return invalid(
      `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    );
  });
  if (orphan) return orphan;
  const twice = firstDuplicate(results.map((block) => stringOf(block['tool_use_id'])));
  if (twice === undefined) return undefined;
  return invalid(
    `messages.${turn.index}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`,
  );
}

function checkAnswered(turn: Turn, next: Turn | undefined): Failure | undefined {
  const calls = ofType(turn.blocks, 'tool_use');
  if (calls.length === 0) return undefined;
  const leading = next?.blocks.findIndex((block) => block['type'] !== 'tool_result') ?? 0;
  const results = leading < 0 ? (next?.blocks ?? []) : (next?.blocks.slice(0, leading) ?? []);
  const answered = new Set(results.map((block) => block['tool_use_id']));
  const open = calls.map((block) => stringOf(block['id'])).filter((id) => !answered.has(id));
  if (open.length === 0) return undefined;
  return invalid(
    `messages.${turn.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}
