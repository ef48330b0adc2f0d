import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '@attractor/base';
import { isThemeName, type Surroundings, themeFor, type ThemeName } from './themes.ts';

/** What a person chose for all their conversations. `theme` null: colours follow the terminal. */
export type Choices = { readonly theme: ThemeName | null; readonly vi: boolean };

export type ChoicesFile = {
  readonly chosen: () => Choices;
  /** Keeps it for later conversations too. A disk that can't take it is no reason to refuse it here. */
  readonly keep: (change: Partial<Choices>) => void;
};

/** A file that can't be read is as if nothing had been chosen. */
export function openChoices(file: string): ChoicesFile {
  let chosen = readChoices(file);
  return {
    chosen: () => chosen,
    keep: (change) => {
      // Another window may have chosen something else meanwhile.
      chosen = { ...readChoices(file), ...change };
      try {
        mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        const written = `${file}.${process.pid}`;
        writeFileSync(written, `${JSON.stringify(chosen)}\n`, { mode: 0o600 });
        renameSync(written, file);
      } catch {
        // It holds until the end of this conversation.
      }
    },
  };
}

function readChoices(file: string): Choices {
  const kept = parsed(file);
  const { theme, vi } = isRecord(kept) ? kept : {};
  return { theme: typeof theme === 'string' && isThemeName(theme) ? theme : null, vi: vi === true };
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** No choice brings colours where none are wanted. */
export function themeAtStart({ theme }: Choices, env: Surroundings): ThemeName {
  const suits = themeFor(env);
  return suits === 'mono' ? suits : (theme ?? suits);
}
