import type { Project, ProjectSettings } from '../types/index.ts';
import { idOf, parseJson } from '../database/json.ts';
import type { ProjectRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { chooseProjectKey, keepProjectKey } from './short-keys.ts';
import { compiledOnce, type Given } from '../database/compiled-once.ts';

/** The project with its key, which it gets here. */
export async function insertProject(tx: Tx, project: Omit<Project, 'key'>): Promise<Project> {
  const key = await chooseProjectKey(tx, project.name);
  await tx
    .insertInto('projects')
    .values({ ...toRow(project), key })
    .execute();
  await keepProjectKey(tx, project.id, key);
  return { ...project, key };
}

export async function findProject(db: Reader, id: string): Promise<Project | null> {
  const [row] = (await projectById(db, { id })).rows;
  return row === undefined ? null : fromRow(row);
}

const projectById = compiledOnce((db, { id }: Given<{ id: string }>) =>
  db.selectFrom('projects').selectAll().where('id', '=', id),
);

export async function findProjectByPath(db: Reader, path: string): Promise<Project | null> {
  const row = await db.selectFrom('projects').selectAll().where('path', '=', path).executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

/** Of now, or an earlier one. */
export async function findProjectByKey(db: Reader, key: string): Promise<Project | null> {
  const row = await db
    .selectFrom('projects')
    .innerJoin('project_keys', 'project_keys.project_id', 'projects.id')
    .selectAll('projects')
    .where('project_keys.key', '=', key)
    .executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

export async function listProjects(db: Reader): Promise<ReadonlyArray<Project>> {
  const rows = await db.selectFrom('projects').selectAll().orderBy('id').execute();
  return rows.map(fromRow);
}

export async function setTrustedConfig(tx: Tx, id: string, hash: string | null): Promise<void> {
  await tx.updateTable('projects').set({ trusted_config_hash: hash }).where('id', '=', id).execute();
}

/** The folder was moved; what was trusted there is not trusted here. */
export async function setProjectPath(tx: Tx, id: string, path: string): Promise<void> {
  await tx.updateTable('projects').set({ path, trusted_config_hash: null }).where('id', '=', id).execute();
}

/** `path` changes only by `setProjectPath`, and `key` only by `changeProjectKey`. */
export async function updateProject(tx: Tx, project: Project): Promise<void> {
  const { id, path: _path, ...columns } = toRow(project);
  await tx.updateTable('projects').set(columns).where('id', '=', id).execute();
}

function toRow(project: Omit<Project, 'key'>): Omit<ProjectRow, 'key' | 'last_number'> {
  return {
    id: project.id,
    name: project.name,
    path: project.path,
    description: project.description,
    default_branch: project.defaultBranch,
    trusted_config_hash: project.trustedConfigHash,
    created_at: project.createdAt,
    config: JSON.stringify(project.config),
  };
}

function fromRow(row: Omit<ProjectRow, 'last_number'>): Project {
  return {
    id: idOf('prj', row.id),
    name: row.name,
    path: row.path,
    description: row.description,
    defaultBranch: row.default_branch,
    trustedConfigHash: row.trusted_config_hash,
    config: parseJson<ProjectSettings>(row.config, {}),
    createdAt: row.created_at,
    key: row.key,
  };
}
