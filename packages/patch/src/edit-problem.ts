import type { Overlooked } from './equivalence.ts';

/** Why a text was not replaced. */
export type EditProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'same' }
  | { readonly kind: 'old_not_text' }
  | { readonly kind: 'new_not_text' }
  /** `near`: the closest match, in a sentence. */
  | { readonly kind: 'not_found'; readonly near: string }
  | { readonly kind: 'too_many'; readonly most: number }
  | { readonly kind: 'overlapping' }
  /** It differs from the shown lines, the first of which is `line`, only in white space. */
  | { readonly kind: 'unclear_indentation'; readonly line: number; readonly shown: ReadonlyArray<string> }
  | WrongCount;

/** `lines`: where the matches begin. `overlapping`: there are more ways to place the text than these. */
export type WrongCount = {
  readonly kind: 'wrong_count';
  readonly lines: ReadonlyArray<number>;
  readonly overlooked: Overlooked | null;
  readonly overlapping: boolean;
  readonly expected: number | 'all';
};

/** A tool's names for the two texts, and its alternatives. */
export type EditWords = {
  readonly oldText: string;
  readonly newText: string;
  /** How a call says that it means more than one place. */
  readonly several: string;
  /** What writes a new file. */
  readonly newFile: string;
};

const TOOL_WORDS: EditWords = {
  oldText: 'old_string',
  newText: 'new_string',
  several: 'say that all are meant (replace_all, expected_replacements)',
  newFile: 'write_file',
};

/** The problem described for the model, with its tool's names for the texts. */
export function describeEditProblem(problem: EditProblem, words: EditWords = TOOL_WORDS): string {
  const { oldText, newText, newFile } = words;
  switch (problem.kind) {
    case 'empty':
      return `${oldText} is empty; use ${newFile} for a new file.`;
    case 'same':
      return `${oldText} and ${newText} are the same.`;
    case 'old_not_text':
      return `${oldText} is not valid Unicode text.`;
    case 'new_not_text':
      return `${newText} is not valid Unicode text.`;
    case 'not_found':
      return `${oldText} was not found. ${problem.near}`;
    case 'too_many':
      return `${oldText} occurs more than ${problem.most} times: give more of the text.`;
    case 'overlapping':
      return `${oldText} fits places that overlap each other, not counting white space. Copy the text exactly.`;
    case 'unclear_indentation':
      return `${oldText} differs from line ${problem.line} only in white space, and it is not clear how ${newText} is to be indented there. The file has:\n${problem.shown.join('\n')}`;
    case 'wrong_count':
      return wrongCount(problem, words);
  }
}

function wrongCount({ lines, overlooked, overlapping, expected }: WrongCount, { oldText, several }: EditWords): string {
  const how = overlooked === null ? '' : `, not counting differences in ${overlooked},`;
  const where = `(${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, 10).join(', ')}${lines.length > 10 ? ', …' : ''})`;
  if (overlapping && lines.length === 1) {
    return `${oldText} occurs in places that overlap each other ${where}. Add lines around it to make it unique.`;
  }
  const times = lines.length === 1 ? 'once' : `${lines.length} times`;
  const wanted = expected === 1 ? '' : ` ${expected} were expected.`;
  return `${oldText} occurs ${times}${how} ${where}.${wanted} Add lines around it to make it unique, or ${several}.`;
}
