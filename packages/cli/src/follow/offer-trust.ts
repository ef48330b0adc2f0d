import { examineTrust, type TrustExamination, untrustedNotice } from '@attractor/settings';
import type { Actor, Project, Workflow } from '@attractor/platform';
import { unwrap, createStyle, putStyled } from '@attractor/console';
import { confirmTrust } from '../trust/confirm.ts';
import { examinationLines } from '../trust/examination-lines.ts';

export type TrustOffer = {
  readonly project: Project;
  readonly actor: Actor;
  /** Where trust is kept. */
  readonly home: string;
  /** A person is at this terminal. */
  readonly attended: boolean;
};

/**
 * What the repository would run or permit is used only after a person has seen exactly that. Without a person, or without their consent,
 * the work continues without it, and one line says so.
 */
export async function offerTrust(workflow: Workflow, { project, actor, home, attended }: TrustOffer): Promise<void> {
  const examined = examineTrust(project.path, { home });
  const notice = untrustedNotice(examined);
  if (notice === null) return;
  if (attended && (await isWanted(examined))) unwrap(await workflow.trustConfig(project.id, examined.hash, actor));
  else putStyled(process.stderr, `${notice}\n`);
}

async function isWanted(examined: TrustExamination): Promise<boolean> {
  const style = createStyle(process.stdout, process.env);
  putStyled(process.stdout, `${examinationLines(examined, { style, full: true }).join('\n')}\n`);
  return examined.problems.length === 0 && confirmTrust(examined);
}
