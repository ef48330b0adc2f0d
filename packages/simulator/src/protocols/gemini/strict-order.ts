import type { JsonObject } from '../../wire/json.ts';
import type { Failure } from '../../protocol.ts';
import { firstOf, invalid } from '../refuse.ts';
import { having, partsOf, roleOf } from './contents.ts';

interface Turn {
  role: string;
  calls: number;
  responses: number;
}

/** Calls come after the user, responses right after the calls, and there are as many of them. */
export function checkOrder(contents: JsonObject[]): Failure | undefined {
  const turns = mergeTurns(contents);
  return firstOf(turns, (turn, index) => checkTurn(turn, turns[index - 1], turns[index + 1]));
}

function mergeTurns(contents: JsonObject[]): Turn[] {
  const turns: Turn[] = [];
  for (const content of contents) {
    const parts = partsOf(content);
    const turn = {
      role: roleOf(content),
      calls: having(parts, 'functionCall').length,
      responses: having(parts, 'functionResponse').length,
    };
    const previous = turns.at(-1);
    // A model turn with calls is separate; the user's neighbouring contents are one turn.
    if (previous?.role === turn.role && turn.role === 'user') {
      previous.responses += turn.responses;
    } else turns.push(turn);
  }
  return turns;
}

const COUNT =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';

function checkTurn(turn: Turn, previous: Turn | undefined, next: Turn | undefined): Failure | undefined {
  if (turn.calls > 0 && previous?.role !== 'user') {
    return invalid(
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    );
  }
  if (turn.calls > 0 && (next?.responses ?? 0) !== turn.calls) return invalid(COUNT);
  if (turn.responses > 0 && !previous?.calls) {
    return invalid('Please ensure that function response turn comes immediately after a function call turn.');
  }
  return undefined;
}
