import type { Prompt, PromptAnswer } from '@attractor/store';
import { readPrompt } from '@attractor/store/types';
import { describe, expect, it } from 'vitest';
import { problemOf } from './judge-answers.ts';

const promptOf = (type: string, payload: Readonly<Record<string, unknown>>): Prompt =>
  readPrompt({
    id: 'prm_1',
    key: 'ATT-1.q1',
    taskId: 'tsk_1',
    runId: null,
    type,
    title: 'Well?',
    payload,
    contentHash: 'h',
    status: 'pending',
    answer: null,
    createdAt: '',
    answeredAt: null,
  });

const said = (...answers: ReadonlyArray<readonly [questionId: string, answer: string]>): PromptAnswer => ({
  decision: 'answer',
  answers: answers.map(([questionId, answer]) => ({ questionId, answer })),
});

describe('answers', () => {
  const questions = promptOf('question', {
    questions: [
      { id: 'q1', question: 'Which name?', options: ['a', 'b'] },
      { id: 'q2', question: 'Which way?', inputType: 'choice', options: ['left', 'right'] },
    ],
  });

  it('to questions name one that was asked, and choose what is offered where only that can be chosen', () => {
    expect(problemOf(questions, said(['q1', 'c'], ['q2', 'left']))).toBeNull();
    expect(problemOf(questions, said())).toBe('Not answered: q1, q2. Answer each, or put all of it into the message.');
    expect(problemOf(questions, said(['q1', ' '], ['q2', 'left']))).toContain('Not answered: q1.');
    expect(problemOf(questions, { decision: 'answer', message: 'Left, and call it b.' })).toBeNull();
    expect(problemOf(promptOf('question', {}), said())).toContain('Give the answer');
    expect(problemOf(questions, said(['q3', 'a']))).toContain('no question "q3"; asked are q1, q2');
    expect(problemOf(questions, said(['q2', 'up']))).toContain(
      '"up" is not offered for "q2"; choose one of left, right',
    );
    expect(problemOf(promptOf('question', {}), said(['answer', 'x']))).toBeNull();
    expect(problemOf(questions, said(['q1', 'c'], ['q2', 'left'], ['q2', 'right']))).toContain(
      '"q2" is answered twice',
    );
    const boolean = promptOf('question', { questions: [{ id: 'q1', question: 'Really?', inputType: 'boolean' }] });
    expect(problemOf(boolean, said(['q1', 'yes']))).toBeNull();
    expect(problemOf(boolean, said(['q1', 'No, the name stays']))).toBeNull();
    expect(problemOf(boolean, said(['q1', 'nonsense']))).toContain('choose one of yes, no');
    expect(problemOf(boolean, said(['q1', 'banana']))).toContain('choose one of yes, no');
  });

  it('to a choice name an option that was offered, by its id or as it is called', () => {
    const options = promptOf('options', {
      options: [
        { id: 'short', label: 'The short way', description: 'd' },
        { id: 'long', label: 'The long way', description: 'd' },
      ],
    });
    expect(problemOf(options, said(['option', 'short']))).toBeNull();
    expect(problemOf(options, said(['answer', 'The long way']))).toBeNull();
    expect(problemOf(options, said(['option', 'both']))).toContain(
      'choose one of short, long, or answer in the message',
    );
    expect(problemOf(options, said(['q1', 'short']))).toContain('no question "q1"');
    expect(problemOf(options, said(['option', 'short'], ['option', 'long']))).toContain('Choose one option');
    expect(problemOf(options, said())).toBe('Choose one of short, long, or answer in the message.');
  });

  it('to a plan or a review lead somewhere', () => {
    const plan = promptOf('plan_approval', {
      plan: 'Do it',
      answers: { approve: 'implementing', changes: 'planning' },
    });
    expect(problemOf(plan, { decision: 'approve' })).toBeNull();
    expect(problemOf(plan, { decision: 'reject' })).toBe(
      '"reject" leads nowhere from here; possible answers are approve, changes.',
    );
  });

  it('to a tool keep only rules that were suggested, in a place that they were suggested for', () => {
    const tool = promptOf('tool_approval', {
      toolCallId: 'c1',
      toolName: 'shell',
      input: { command: 'npm test && ls' },
      suggestions: [{ rules: ['Bash(npm test)', 'Bash(ls)'], destination: 'session', file: null }],
    });
    const keep = (destination: 'session' | 'userSettings', ...rules: ReadonlyArray<string>): PromptAnswer => ({
      decision: 'approve',
      remember: { rules, destination },
    });
    expect(problemOf(tool, { decision: 'approve' })).toBeNull();
    expect(problemOf(tool, keep('session', 'Bash(npm test)', 'Bash(ls)'))).toBeNull();
    expect(problemOf(tool, keep('session', 'Bash(ls)', 'Bash(*)'))).toBe(
      "The rule can't be kept: Bash(*) was not suggested; for session it is Bash(npm test), Bash(ls).",
    );
    expect(problemOf(tool, keep('userSettings', 'Bash(ls)'))).toBe(
      "The rule can't be kept: no rule was suggested for userSettings.",
    );
  });
});
