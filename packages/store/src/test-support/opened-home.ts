import { copyFileSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { memoryParent } from '@attractor/base/testing';
import { DATABASE_FILE, openStore } from '../database/open-store.ts';
import { must } from './world.ts';

let opened: Promise<string> | null = null;

/** A home folder with the database that the store makes when it is opened there for the first time; to make it takes ten times as long. */
export async function openedHome(folder: string): Promise<string> {
  opened ??= openOnce();
  copyFileSync(join(await opened, DATABASE_FILE), join(folder, DATABASE_FILE));
  return folder;
}

async function openOnce(): Promise<string> {
  const home = mkdtempSync(join(memoryParent(), 'attractor-opened-'));
  const store = must(await openStore({ home }));
  await store.close();
  return home;
}
