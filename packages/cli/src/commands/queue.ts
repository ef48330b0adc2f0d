import type { Command } from 'commander';
import { defineNoun } from '../nouns/noun.ts';
import { QUEUE_VERBS, QUEUE_STATE } from '../nouns/queue.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'Who works when: what runs, what waits and for what, pauses and limits.',
    verbs: QUEUE_VERBS,
    bare: QUEUE_STATE,
  });
}
