import { isRecord, messageOf } from '@attractor/base';
import type { ImagePart } from '@attractor/llm';
import type { InputProblem } from './input-problem.ts';
import { userContent, wrongLine } from './user-content.ts';

export type UserInput = {
  readonly text: string;
  readonly images: ReadonlyArray<ImagePart>;
  /** Said word for word: `/name` and mentions in it are ordinary text. */
  readonly isVerbatim?: boolean;
  /** It is not said while the agent works on another one. */
  readonly isLater?: boolean;
  /** It asks for no answer: it goes with the next one that does. */
  readonly isForNext?: boolean;
  /** What its sender calls it. */
  readonly id?: string;
  /** There is nothing in it. */
  readonly problem?: InputProblem;
};

type Fields = Readonly<Record<string, unknown>>;

/** A line of stream-json as it arrived; `number` counts from 1. */
export function parseLine(line: string, number: number): Fields {
  try {
    const value: unknown = JSON.parse(line);
    if (isRecord(value)) return value;
  } catch (error) {
    throw wrongLine(number, `is not valid JSON: ${messageOf(error)}.`);
  }
  throw wrongLine(number, 'is not a JSON object.');
}

/** The content of a user line: text, images, or both, and behind it what its sender pasted. */
export async function userInputOf(line: Fields, number: number): Promise<UserInput> {
  const { message, pasted_content: given, client_composed, priority, uuid, shouldQuery } = line;
  const { text: typed, images } = await userContent(isRecord(message) ? message['content'] : undefined, number);
  const pasted = await Promise.all((Array.isArray(given) ? given : []).map((one) => userContent(one, number)));
  const text = [typed, ...pasted.map((one) => one.text)].filter((one) => one.trim() !== '').join('\n\n');
  const isEmpty = text === '' && images.length === 0;
  return {
    text,
    images,
    ...(isEmpty ? { problem: wrongLine(number, NO_TEXT) } : {}),
    ...(client_composed === true ? { isVerbatim: true } : {}),
    ...(priority === 'later' ? { isLater: true } : {}),
    ...(shouldQuery === false ? { isForNext: true } : {}),
    ...(typeof uuid === 'string' ? { id: uuid } : {}),
  };
}

const NO_TEXT = 'has no text: expected {"type":"user","message":{"role":"user","content":"…"}}.';

/** What was said before without asking for an answer goes first. */
export function joinedInput(before: ReadonlyArray<UserInput>, { problem, ...input }: UserInput): UserInput {
  const all = [...before, input];
  const text = all
    .map((one) => one.text)
    .filter(Boolean)
    .join('\n\n');
  const images = all.flatMap((one) => one.images);
  const isEmpty = text === '' && images.length === 0;
  return { ...input, text, images, ...(isEmpty && problem !== undefined ? { problem } : {}) };
}
