/** Tasks with work that no base has, so that they are found without asking every task that ever ended. */
const TASK = 'TASK';
const LOOK_AGAIN = `
  delete from unmerged_work where task_id = ${TASK};
  insert into unmerged_work select distinct task_id from artifacts where task_id = ${TASK} and type in ('branch', 'pull_request')
    and not exists (select 1 from artifacts as merged where merged.task_id = ${TASK} and merged.type = 'pull_request'
      and merged.metadata like '%"state":"merged"%');`;
const of = (task: string): string => LOOK_AGAIN.replaceAll(TASK, task);

export const UNMERGED_WORK = {
  name: '023-unmerged-work',
  sql: `
create table unmerged_work (task_id text primary key) strict;
insert into unmerged_work select distinct task_id from artifacts where type in ('branch', 'pull_request')
  and not exists (select 1 from artifacts as merged where merged.task_id = artifacts.task_id and merged.type = 'pull_request'
    and merged.metadata like '%"state":"merged"%')
`,
  only: {
    sqlite: `
create trigger unmerged_work_after_insert after insert on artifacts begin ${of('new.task_id')} end;
create trigger unmerged_work_after_update after update on artifacts begin ${of('new.task_id')} end;
create trigger unmerged_work_after_delete after delete on artifacts begin ${of('old.task_id')} end
`,
    postgres: `
create function note_unmerged_work() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then ${of('old.task_id')} else ${of('new.task_id')} end if;
  return null;
end $$;
create trigger unmerged_work_after_change after insert or update or delete on artifacts
  for each row execute function note_unmerged_work()
`,
  },
};
