import type { Role } from '@attractor/facts';

/** `projects` is a JSON list of ids, or null for all. A higher `session_number` ends the sessions of before. */
export type UserRow = {
  id: string;
  name: string;
  role: Role;
  projects: string | null;
  session_number: number;
  created_at: string;
  issuer: string | null;
  subject: string | null;
};

/** `user_id` null: the owner's. The secret itself is not stored. */
export type ApiKeyRow = {
  id: string;
  prefix: string;
  name: string;
  user_id: string | null;
  secret_hash: string;
  role: Role;
  projects: string | null;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
};

/** Signed out of: its cookie opens nothing any more. */
export type EndedSessionRow = { id: string; expires_at: string };

/** Who did what. Only added to: it outlives the tasks and users that it tells of, so it references none of them. */
export type AuditRow = {
  id: string;
  at: string;
  person: string;
  via: string | null;
  api_key: string | null;
  act: string;
  summary: string;
  project_id: string | null;
  task_id: string | null;
  run_id: string | null;
};
