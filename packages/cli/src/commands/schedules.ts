import type { Command } from 'commander';
import { defineNoun } from '../nouns/noun.ts';
import { SCHEDULE_VERBS } from '../nouns/schedules.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'What is done again and again, by the clock.',
    verbs: SCHEDULE_VERBS,
  });
}
