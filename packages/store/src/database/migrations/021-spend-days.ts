/** Sums of days that are over. Whoever changes what was used on a day, also one of an older version, makes its sums go. */
const FORGET = (slot: string): string =>
  `delete from spend_days where from_slot > ${slot} - 200 and from_slot <= ${slot} and to_slot > ${slot};`;

export const SPEND_DAYS = {
  name: '021-spend-days',
  sql: `
create table spend_days (
  project_id text not null, from_slot integer not null, to_slot integer not null, sums text not null,
  primary key (project_id, from_slot, to_slot)
) strict;
create index spend_days_by_slot on spend_days (from_slot)
`,
  only: {
    sqlite: `
create trigger spend_days_after_insert after insert on run_usage begin ${FORGET('new.slot')} end;
create trigger spend_days_after_update after update on run_usage begin ${FORGET('new.slot')} end;
create trigger spend_days_after_delete after delete on run_usage begin ${FORGET('old.slot')} end
`,
    postgres: `
create function forget_spend_day() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then ${FORGET('old.slot')} else ${FORGET('new.slot')} end if;
  return null;
end $$;
create trigger spend_days_after_change after insert or update or delete on run_usage
  for each row execute function forget_spend_day()
`,
  },
};
