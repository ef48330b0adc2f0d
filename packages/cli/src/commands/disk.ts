import type { Command } from 'commander';
import { defineVerb } from '../nouns/noun.ts';
import { SHOW_DISK } from '../nouns/supervise.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineVerb(command, finish, SHOW_DISK);
}
