import { describe, expect, it } from 'vitest';
import { judge } from './planted.ts';
import { words } from './words.ts';

const PAGE = `# Words

## Work

| word | what it is         | avoid                  |
| ---- | ------------------ | ---------------------- |
| task | what is to be done | ticket, job, work item |
| job  | a unit of a queue  |                        |

## Where a word stands

| word | what it means there | names in                                            |
| ---- | ------------------- | --------------------------------------------------- |
| hook | of a session        | \`packages/agent\`, \`packages/store/src/schema.ts\` |

## Words that need a guide

| word | what it stood for        | say             |
| ---- | ------------------------ | --------------- |
| deed | a command that is judged | judged command |
`;

function judged(files: Readonly<Record<string, string>>): string[] {
  return judge(words, { 'docs/words.md': PAGE, ...files });
}

describe('words in names', () => {
  it.each([
    ['a file', 'packages/store/src/new-ticket.ts', ''],
    ['a file in the plural', 'packages/store/src/tickets.ts', ''],
    ['a type', 'packages/store/src/a.ts', 'export type NewTicket = string;'],
    ['an interface', 'packages/store/src/a.ts', 'export interface Tickets {}'],
    ['a class', 'packages/store/src/a.ts', 'export abstract class TicketList {}'],
    ['a type with a synonym of two words', 'packages/store/src/a.ts', 'export type WorkItems = string;'],
    ['a folder', 'packages/store/src/tickets/a.ts', ''],
    ['a folder below another', 'packages/store/src/a/ticket-list/b.ts', ''],
    ['a function', 'packages/store/src/a.ts', 'export function readTickets() {}'],
    ['an async function', 'packages/store/src/a.ts', 'export async function readTicket() {}'],
    ['a generator', 'packages/store/src/a.ts', 'export function* tickets() {}'],
  ])('refuses an avoided synonym in the name of %s', (_what, file, text) => {
    expect(judged({ [file]: text })).toEqual([expect.stringMatching(/"(ticket|work item)" is avoided for task/)]);
  });

  it('refuses a word outside the places it is kept to', () => {
    expect(judged({ 'packages/platform/src/a.ts': '\nexport type HookList = string;' })).toEqual([
      expect.stringContaining(
        'packages/platform/src/a.ts:2 exports the type HookList: "hook" stands in names of packages/agent',
      ),
    ]);
  });

  it.each([
    ['a type', 'packages/store/src/a.ts', 'export type Deed = string;'],
    ['a function', 'packages/store/src/a.ts', 'export function judgeDeed() {}'],
    ['a folder', 'packages/store/src/deeds/a.ts', ''],
  ])('refuses a word that needs a guide in the name of %s', (_what, file, text) => {
    expect(judged({ [file]: text })).toEqual([expect.stringContaining('"deed" is avoided for judged command')]);
  });

  it('names a folder once, however many files are in it', () => {
    expect(judged({ 'packages/store/src/tickets/a.ts': '', 'packages/store/src/tickets/b.ts': '' })).toHaveLength(1);
  });

  it.each([
    ['a word in its place', 'packages/agent/src/hooks.ts', 'export type Hook = string;'],
    ['a word in a file that is named', 'packages/store/src/schema.ts', 'export type HookRow = string;'],
    ['a synonym that is a word with another meaning', 'packages/store/src/job.ts', 'export type Job = string;'],
    ['a part of another word', 'packages/store/src/ticketing.ts', 'export type Workitem = string;'],
    ['a name that is not exported', 'packages/store/src/a.ts', 'type Ticket = string;\nfunction readTicket() {}'],
    ['a folder of a word in its place', 'packages/agent/src/hooks/a.ts', ''],
    ['a test', 'packages/store/src/ticket.test.ts', 'export type Ticket = string;'],
  ])('allows %s', (_what, file, text) => {
    expect(judged({ [file]: text })).toEqual([]);
  });

  it('refuses a house without the page', () => {
    expect(judge(words, { 'packages/store/src/a.ts': '' })).toEqual(['docs/words.md is missing']);
  });
});
