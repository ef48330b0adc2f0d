import assert from 'node:assert/strict';
import type { Journal } from '../journal/journal.ts';
import type { DeliveredEvent, SessionEvent } from '../events/event.ts';
import { casesOf, type ContractCase } from '@attractor/base/testing';

export type JournalWorld = {
  readonly journal: Journal;
  /** The same journal as the next process finds it; absent if nothing outlives the process. */
  readonly reopen?: () => Journal;
  readonly dispose?: () => void | Promise<void>;
};

/** What every `Journal` must satisfy. `make` returns an empty one for each case. */
export function journalContract(make: () => JournalWorld | Promise<JournalWorld>): ReadonlyArray<ContractCase> {
  return casesOf(make, RULES);
}

const event = (seq: number, what: SessionEvent): DeliveredEvent => ({
  ...what,
  seq,
  at: '2026-01-01T00:00:00.000Z',
  sessionId: 'ses_contract',
});

const said = (seq: number, content: string): DeliveredEvent => event(seq, { kind: 'USER_INPUT', content });

const contents = (journal: Journal, after?: number): ReadonlyArray<unknown> =>
  journal.read(after).map((record) => record.event['content']);

const RULES: Readonly<Record<string, (world: JournalWorld) => void>> = {
  'gives records back in order, all of them or those after a number': ({ journal }) => {
    for (const seq of [1, 2, 3]) journal.append(said(seq, `number ${seq}`));
    assert.deepEqual(contents(journal), ['number 1', 'number 2', 'number 3']);
    assert.deepEqual(contents(journal, 2), ['number 3']);
    assert.deepEqual(contents(journal, 3), []);
    assert.deepEqual(
      journal.read().map(({ seq, at, v }) => [seq, at, v]),
      [1, 2, 3].map((seq) => [seq, '2026-01-01T00:00:00.000Z', 1]),
    );
  },
  'keeps any text: line ends, quotes, NUL, every plane of Unicode, and a megabyte': ({ journal }) => {
    const texts = ['a\nb\r\nc\u2028d', '"\\"{}', '\0\u0001', '🙂 ä 漢', 'x'.repeat(1 << 20)];
    texts.forEach((text, index) => journal.append(said(index + 1, text)));
    assert.deepEqual(contents(journal), texts);
  },
  'keeps whole values of nested events': ({ journal }) => {
    const args = { deep: [{ a: null, b: [1, 2.5, -0.25, true] }], empty: {} };
    journal.append(event(1, { kind: 'TOOL_CALL_START', toolCallId: 'c', toolName: 't', args, readOnly: false }));
    assert.deepEqual(journal.read()[0]?.event['args'], args);
  },
  'describes an error so that a reader knows what happened': ({ journal }) => {
    journal.append(event(1, { kind: 'ERROR', error: Object.assign(new Error('no space'), { code: 'ENOSPC' }) }));
    const stored = journal.read()[0]?.event['error'];
    assert.deepEqual(stored, { name: 'Error', message: 'no space', code: 'ENOSPC' });
  },
  'is not changed by what happens to an event later': ({ journal }) => {
    const args: Record<string, unknown> = { path: 'a' };
    journal.append(event(1, { kind: 'TOOL_CALL_START', toolCallId: 'c', toolName: 't', args }));
    args['path'] = 'b';
    assert.deepEqual(journal.read()[0]?.event['args'], { path: 'a' });
  },
  'can be synced at any time and closed more than once': ({ journal }) => {
    journal.sync();
    journal.append(said(1, 'x'));
    journal.sync();
    journal.close();
    journal.close();
  },
  'is there for the next process, which writes on': ({ journal, reopen }) => {
    if (reopen === undefined) return;
    journal.append(said(1, 'first'));
    journal.close();
    const next = reopen();
    assert.deepEqual(contents(next), ['first']);
    next.append(said(2, 'second'));
    assert.deepEqual(contents(next), ['first', 'second']);
    next.close();
  },
};
