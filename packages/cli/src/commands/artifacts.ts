import type { Command } from 'commander';
import { ARTIFACT_VERBS } from '../nouns/artifacts.ts';
import { defineNoun } from '../nouns/noun.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  defineNoun(command, finish, {
    description: 'What a task left behind: branches, commits, diffs, pull requests, documents, mocks, links.',
    verbs: ARTIFACT_VERBS,
  });
}
