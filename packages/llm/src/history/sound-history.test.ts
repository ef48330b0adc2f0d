import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenHistories } from '../test-support/broken-histories.ts';
import { runs } from '../test-support/runs.ts';
import type { ContentPart } from '../types/content.ts';
import { assistantMessage, systemMessage, toolMessage, userMessage, type Message } from '../types/message.ts';
import { mendHistory } from './mend-history.ts';
import { HISTORY_RULES, type HistoryRules } from './rules.ts';
import { soundHistory } from './sound-history.ts';

const ORIGIN = 'anthropic/x';
const RULES = Object.entries(HISTORY_RULES).map(([name, rules]): [string, HistoryRules] => [
  name,
  { ...rules, origin: ORIGIN },
]);

const call = (toolCallId: string): ContentPart => ({
  kind: 'TOOL_CALL',
  toolCallId,
  toolName: 'shell',
  args: { a: '1' },
});
const result = (toolCallId: string): Message => toolMessage({ toolCallId, output: `of ${toolCallId}`, isError: false });
const thinking: ContentPart = { kind: 'THINKING', text: 'hm', signature: 'c2ln', origin: ORIGIN };

const CONVERSATION: ReadonlyArray<Message> = [
  systemMessage('Be brief.'),
  userMessage('Go on.'),
  assistantMessage([{ kind: 'TEXT', text: 'Well' }, call('call_1'), call('call_2')]),
  result('call_1'),
  result('call_2'),
  userMessage('Faster.'),
  assistantMessage([call('call_3')]),
  result('call_3'),
];

describe.each(RULES)('for %s', (_name, rules) => {
  it("passes an agent's conversation on as it is, results of one answer together", () => {
    const sound = soundHistory(CONVERSATION, rules);
    expect(sound).toStrictEqual(mendHistory(CONVERSATION, rules).messages);
    expect(sound?.[1]).toBe(CONVERSATION[1]);
    expect(soundHistory([...CONVERSATION, assistantMessage('Done.'), userMessage('More.')], rules)?.[3]).toBe(
      sound?.[3],
    );
  });

  it('says of no history that it is sound which fixing would change', () => {
    const turns = fc.array(fc.constantFrom(...STEPS), { maxLength: 12 }).map((steps) => steps.flat());
    fc.assert(
      fc.property(fc.oneof(turns, brokenHistories([thinking])), (messages) => {
        const sound = soundHistory(messages, rules);
        if (sound === null) return;
        expect({ messages: sound, warnings: [] }).toStrictEqual(mendHistory(messages, rules));
      }),
      { numRuns: runs(2000) },
    );
  });
});

it('takes signed thinking of its own once, and only where it may stand', () => {
  const rules = { ...HISTORY_RULES.anthropic, origin: ORIGIN };
  const round = [assistantMessage([thinking, call('call_1')]), result('call_1')];
  expect(soundHistory([userMessage('a'), ...round], rules)).toHaveLength(3);
  expect(soundHistory([userMessage('a'), ...round], { ...rules, origin: 'another/model' })).toBeNull();
  const again = [assistantMessage([thinking, call('call_2')]), result('call_2')];
  expect(soundHistory([userMessage('a'), ...round, ...again], rules)).toBeNull();
});

/** Made once, since messages are known again by their identity. Most are sound where they follow each other well. */
const STEPS: ReadonlyArray<ReadonlyArray<Message>> = [
  [systemMessage('Be brief.')],
  [
    {
      role: 'system',
      content: [
        { kind: 'TEXT', text: 'one' },
        { kind: 'TEXT', text: 'two' },
      ],
    },
  ],
  [userMessage('Go on.')],
  [
    userMessage([
      { kind: 'TEXT', text: 'a' },
      { kind: 'TEXT', text: 'b' },
    ]),
  ],
  [userMessage('half \ud83d')],
  [userMessage(' ')],
  [userMessage([])],
  [assistantMessage('Well.')],
  [assistantMessage('Well. ')],
  [assistantMessage([call('call_1')]), result('call_1')],
  [assistantMessage([call('call_2'), call('call_3')]), result('call_2'), result('call_3')],
  [assistantMessage([call('call_4'), call('call_5')]), result('call_5'), result('call_4')],
  [assistantMessage([call('call_6'), call('call_6')]), result('call_6'), result('call_6')],
  [assistantMessage([call('call_7')])],
  [assistantMessage([call('bad id')]), result('bad id')],
  [assistantMessage([thinking, call('call_8')]), result('call_8')],
  [assistantMessage([thinking, { kind: 'TEXT', text: 'So.' }])],
  [assistantMessage([{ kind: 'TEXT', text: 'So.' }, thinking])],
  [
    assistantMessage([{ kind: 'TOOL_CALL', toolCallId: 'call_9', toolName: 'shell', args: { a: '\ud83d' } }]),
    result('call_9'),
  ],
  [result('call_1')],
  [
    assistantMessage([call('call_10'), call('call_11')]),
    { role: 'tool', content: [...result('call_10').content, ...result('call_11').content] },
  ],
];
