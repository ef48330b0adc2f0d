import type { SessionEvent } from '../types/index.ts';
import { switchFacts } from './hook-facts.ts';
import type { RequestedChange, Run } from './run.ts';

/** A change of the session's settings. Hooks may object to another model; where they want a person to confirm, it stays as it is. */
export async function* configured(run: Run, { event, by }: RequestedChange): AsyncGenerator<SessionEvent, void> {
  const { hooks } = run;
  const { model: from } = run.settings().config;
  const { model: to = from, ...others } = event;
  if (hooks === undefined || to === from) {
    yield event;
    return;
  }
  const { source = 'sdk', asked = to } = by ?? {};
  const about = switchFacts({ view: run.view(), respondedAt: run.respondedAt() }, { from, to, asked, source });
  const { block, stop, permission } = await hooks.fire('PreModelSwitch', about);
  const isAllowed = permission === null || permission.word === 'allow';
  const objection = stop ?? block ?? (isAllowed ? null : permission.reason);
  if (objection !== null) {
    yield { kind: 'WARNING', message: `A hook keeps the model ${from}, ${to} is not used: ${objection}` };
    yield others;
    return;
  }
  yield event;
  const { context } = await hooks.fire('PostModelSwitch', about);
  hooks.tell('PostModelSwitch', context);
}
