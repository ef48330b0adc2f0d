import type { Command } from 'commander';
import { IMPORT_VERBS } from '../nouns/import.ts';
import { defineNoun } from '../nouns/noun.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, { description: 'Takes tasks over from elsewhere.', verbs: IMPORT_VERBS });
}
