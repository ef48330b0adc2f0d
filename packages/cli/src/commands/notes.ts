import type { Command } from 'commander';
import { NOTE_VERBS } from '../nouns/notes.ts';
import { defineNoun } from '../nouns/noun.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'What people and agents noted about a task. Notes are added, never changed.',
    verbs: NOTE_VERBS,
  });
}
