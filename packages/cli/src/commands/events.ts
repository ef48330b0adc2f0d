import type { Command } from 'commander';
import { LIST_EVENTS } from '../nouns/events.ts';
import { defineNoun } from '../nouns/noun.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'The log: everything that happened, with who did it.',
    verbs: [LIST_EVENTS],
  });
}
