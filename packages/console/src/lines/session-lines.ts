import type { CodingSession } from '@attractor/api';
import type { Style } from '../terminal/style.ts';
import { facts, moment } from './layout.ts';

/** A coding session for people: where it is, what waits, what was done. */
export function sessionLines(session: CodingSession, style: Style): ReadonlyArray<string> {
  const { pending_action: pending, completed_actions: actions, plan, query, clarified_query: clarified } = session;
  return facts(
    [
      ['session', session.session_id],
      ['stage', session.stage],
      ['query', query],
      ['clarified', clarified === query ? '' : clarified],
      ['plan', plan?.text],
      ['pending', pending === null ? '' : [pending.title, pending.text].join('\n')],
      ['answer', (pending?.key ?? null) === null ? '' : `attractor prompts get ${pending?.key ?? ''}`],
      ['done', actions.map(actionLine).join('\n')],
      ['created', moment(session.created_at)],
      ['updated', moment(session.updated_at)],
    ],
    style,
  );
}

function actionLine({ action, path, command, status }: CodingSession['completed_actions'][number]): string {
  return `${action} ${path ?? command ?? ''}: ${status}`.replace(' :', ':');
}
