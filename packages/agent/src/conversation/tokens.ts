import type { ContentPart } from '@attractor/llm';
import type { Turn } from '../types/index.ts';

const CHARS_PER_TOKEN = 4;

/** About what providers charge for one image; the length of its base64 does not tell. */
const TOKENS_OF_AN_IMAGE = 1600;

/** For frames, roles and ids. */
const TOKENS_OF_A_TURN = 8;

export function tokensOfText(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

export function charsFor(tokens: number): number {
  return Math.floor(tokens * CHARS_PER_TOKEN);
}

export function tokensOfTurns(turns: ReadonlyArray<Turn>): number {
  return turns.reduce((sum, turn) => sum + tokensOfTurn(turn), 0);
}

/** Turns never change: each is measured once. */
const measured = new WeakMap<Turn, number>();

export function tokensOfTurn(turn: Turn): number {
  const known = measured.get(turn);
  if (known !== undefined) return known;
  const tokens = TOKENS_OF_A_TURN + measure(turn);
  measured.set(turn, tokens);
  return tokens;
}

function measure(turn: Turn): number {
  switch (turn.kind) {
    case 'assistant':
      return turn.content.reduce((sum, part) => sum + tokensOfPart(part), 0);
    case 'tool_results':
      return turn.results.reduce(
        (sum, { output, images = [] }) =>
          sum + TOKENS_OF_A_TURN + tokensOfText(output) + images.length * TOKENS_OF_AN_IMAGE,
        0,
      );
    case 'user':
      return (turn.parts ?? []).reduce(
        (sum, part) => sum + tokensOfPart(part),
        turn.parts ? 0 : tokensOfText(turn.content),
      );
    default:
      return tokensOfText(turn.content);
  }
}

function tokensOfPart(part: ContentPart): number {
  switch (part.kind) {
    case 'TEXT':
    case 'THINKING':
      return tokensOfText(part.text);
    case 'IMAGE':
      return TOKENS_OF_AN_IMAGE;
    default:
      return tokensOfText(JSON.stringify(part));
  }
}
