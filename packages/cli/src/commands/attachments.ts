import type { Command } from 'commander';
import { ATTACHMENT_VERBS } from '../nouns/attachments.ts';
import { defineNoun } from '../nouns/noun.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'Files that belong to a task.',
    verbs: ATTACHMENT_VERBS,
  });
}
