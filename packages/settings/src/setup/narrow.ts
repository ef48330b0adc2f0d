import type { UserFiles } from '../user-files/read-user-files.ts';

/** What a run goes without, of what is written down. */
export type Narrowing = {
  /** No commands and no skills. */
  readonly isBare?: boolean;
  /** Only these skills, with or without the name of their plugin. Absent: all. */
  readonly skills?: ReadonlyArray<string>;
  /** Only these MCP servers. Absent: all. */
  readonly servers?: ReadonlyArray<string>;
};

type Narrowed = {
  readonly files: UserFiles;
  readonly servers: ReadonlyMap<string, unknown>;
  readonly narrowing?: Narrowing;
};

/** The same setup without more than these; what is read again later is narrowed so, too. */
export function narrowSetup<Setup extends Narrowed>(setup: Setup, wanted: Narrowing): Setup {
  const narrowing = { ...setup.narrowing, ...wanted };
  return {
    ...setup,
    narrowing,
    files: narrowFiles(setup.files, narrowing),
    servers: narrowServers(setup.servers, narrowing),
  };
}

export function narrowFiles(files: UserFiles, { isBare, skills }: Narrowing): UserFiles {
  if (isBare === true) return { ...files, commands: [], skills: [] };
  if (skills === undefined) return files;
  const isNamed = (name: string): boolean => skills.some((one) => name === one || name.endsWith(`:${one}`));
  // Agents may be given others: nobody calls those by name.
  const aside = { forModel: false, forPerson: false };
  return { ...files, skills: files.skills.map((skill) => (isNamed(skill.name) ? skill : { ...skill, ...aside })) };
}

export function narrowServers<One>(all: ReadonlyMap<string, One>, { servers }: Narrowing): ReadonlyMap<string, One> {
  return servers === undefined ? all : new Map([...all].filter(([name]) => servers.includes(name)));
}
