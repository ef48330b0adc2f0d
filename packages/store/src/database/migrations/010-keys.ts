import { freeProjectKey } from '../../types/short-key.ts';
import type { Migration } from '../migration.ts';

/** Short keys. What is there already gets them in the order in which it was made. */
export const KEYS: Migration = {
  name: '010-keys',
  sql: `
alter table projects add column key text not null default '';
alter table projects add column last_number integer not null default 0;
alter table tasks add column key text not null default '';
alter table tasks add column number integer not null default 0;
alter table runs add column key text not null default '';
alter table runs add column number integer not null default 0;
alter table prompts add column short_key text not null default '';
alter table prompts add column number integer not null default 0;

create table project_keys (key text primary key, project_id text not null references projects (id)) strict;
create index project_keys_by_project on project_keys (project_id)
`,
  convert: {
    read: 'select id, name from projects order by created_at, id',
    write: (projects) => {
      const taken = new Set<string>();
      const named = projects.map(({ id, name }) => {
        const key = freeProjectKey(String(name), (one) => taken.has(one));
        taken.add(key);
        return `update projects set key = '${key}' where id = '${String(id).replaceAll("'", "''")}';`;
      });
      return `${named.join('\n')}${NUMBERED}`;
    },
  },
};

const NUMBERED = `
insert into project_keys (key, project_id) select key, id from projects;
update tasks set number = placed.place
  from (select id, row_number() over (partition by project_id order by created_at, id) as place from tasks) as placed
  where placed.id = tasks.id;
update projects set last_number = (select count(*) from tasks where tasks.project_id = projects.id);
update tasks set key = (select projects.key from projects where projects.id = tasks.project_id) || '-' || number;
update runs set number = placed.place
  from (select id, row_number() over (partition by task_id order by id) as place from runs) as placed where placed.id = runs.id;
update runs set key = (select tasks.key from tasks where tasks.id = runs.task_id) || '.' || number;
update prompts set number = placed.place
  from (select id, row_number() over (partition by task_id order by id) as place from prompts) as placed where placed.id = prompts.id;
update prompts set short_key = (select tasks.key from tasks where tasks.id = prompts.task_id) || '.q' || number;
create unique index tasks_by_number on tasks (project_id, number);
create unique index runs_by_number on runs (task_id, number);
create unique index prompts_by_number on prompts (task_id, number);
`;
