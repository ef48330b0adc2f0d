import type { Command } from 'commander';
import { defineNoun } from '../nouns/noun.ts';
import { STAT_VERBS, SHOW_STATS } from '../nouns/stats.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'How runs went, and how agents compare.',
    verbs: STAT_VERBS,
    bare: SHOW_STATS,
  });
}
