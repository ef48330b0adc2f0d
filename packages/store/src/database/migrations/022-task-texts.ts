/**
 * An index for text anywhere in the title or the description of a task (`task-text.ts`). On PostgreSQL it needs the extension pg_trgm:
 * where that is not installed or may not be created, searches work without it, and look at every task.
 */
const NUMBER = (id: string): string => `(select number from task_text_ids where task_id = ${id})`;
const ADD = `insert into task_texts (rowid, title, description) values (${NUMBER('new.id')}, new.title, new.description);`;
const REMOVE = `delete from task_texts where rowid = ${NUMBER('old.id')};`;

export const TASK_TEXTS = {
  name: '022-task-texts',
  sql: '',
  only: {
    sqlite: `
create table task_text_ids (number integer primary key, task_id text not null unique) strict;
create virtual table task_texts using fts5(title, description, content='', contentless_delete=1, tokenize='trigram');
insert into task_text_ids (task_id) select id from tasks;
insert into task_texts (rowid, title, description)
  select task_text_ids.number, title, description from tasks join task_text_ids on task_id = id;
create trigger task_texts_after_insert after insert on tasks begin
  insert into task_text_ids (task_id) values (new.id);
  ${ADD}
end;
create trigger task_texts_after_update after update of title, description on tasks
  when old.title <> new.title or old.description <> new.description begin ${REMOVE} ${ADD} end;
create trigger task_texts_after_delete after delete on tasks begin
  ${REMOVE}
  delete from task_text_ids where task_id = old.id;
end
`,
    postgres: `
do $$ begin
  create extension if not exists pg_trgm;
  execute 'create index tasks_by_text on tasks using gin (lower(title) gin_trgm_ops, lower(description) gin_trgm_ops)
    with (fastupdate = off)';
exception when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then null;
end $$
`,
  },
};
