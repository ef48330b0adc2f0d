/**
 * What the model behind a provider says in the contract suite, by the first message of the conversation. Each entry of `replies` is one
 * reply; `reads` are the files that this reply asks to read. Scripted services and hand-made providers use the same table.
 */
export type ContractDialogue = {
  readonly first: string;
  readonly replies: ReadonlyArray<ContractReply>;
};

export type ContractReply = {
  readonly text: string;
  readonly reads?: ReadonlyArray<string>;
  /** What the results before this reply must contain: so the model notices a provider that lost or changed them. */
  readonly heard?: string;
};

export const CONTRACT_DIALOGUES = [
  { first: 'Say hello.', replies: [{ text: 'Hello.' }, { text: 'Hello again.' }] },
  {
    first: 'Read one file.',
    replies: [
      { text: 'I look.', reads: ['one.txt'] },
      { text: 'One is read.', heard: 'first line' },
    ],
  },
  {
    first: 'Read two files.',
    replies: [
      { text: '', reads: ['one.txt', 'two.txt'] },
      { text: 'Both are read.', heard: 'second line' },
    ],
  },
  {
    first: 'Read a file that is missing.',
    replies: [
      { text: '', reads: ['none.txt'] },
      { text: 'There is none.', heard: 'file_not_found' },
    ],
  },
] as const satisfies ReadonlyArray<ContractDialogue>;

/** The files that the dialogues read. */
export const CONTRACT_FILES: Readonly<Record<string, string>> = {
  'one.txt': 'first line\n',
  'two.txt': 'second line\n',
};
