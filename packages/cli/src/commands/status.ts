import type { Command } from 'commander';
import { defineVerb } from '../nouns/noun.ts';
import { SHOW_STATUS } from '../nouns/status.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineVerb(command, finish, SHOW_STATUS);
}
