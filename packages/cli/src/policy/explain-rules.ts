import { homedir } from 'node:os';
import { createPolicy, type Judgement, readRules } from '@attractor/policy';
import { describeProblem, loadSettings, sessionSettings } from '@attractor/settings';
import { type Environment, homeFolder } from '../settings.ts';
import { readableText } from '@attractor/console';

type Here = { readonly folder: string; readonly env: Environment };

/**
 * The answer that an agent working in this folder would get, from the rules of every effective scope and the mode that they set. Empty if
 * there are no rules: then the command itself decides, and that was already shown.
 */
export async function explainRules(command: string, { folder, env }: Here): Promise<string> {
  const userHome = env['HOME'] ?? homedir();
  const loaded = loadSettings({ home: homeFolder(env), userHome, env, folder });
  const settings = sessionSettings(loaded);
  const { rules, problems } = readRules(settings.rules);
  const [problem] = [...loaded.refusals.map(describeProblem), ...problems];
  if (problem !== undefined) return told(['By your settings: no agent starts', `  ${problem}`]);
  const mode = settings.mode.value;
  if (rules.length === 0 && mode === 'default') return '';
  const policy = createPolicy({ rules, mode, root: folder, home: userHome, sandboxed: true });
  const judgement = await policy.judge({ toolName: 'Bash', args: { command } });
  return told([`By your settings, in the mode ${mode}: ${judgement.decision}`, ...reasons(judgement)]);
}

function reasons({ decision, reason, part, needs = [] }: Judgement): ReadonlyArray<string> {
  return [
    `  ${part === undefined ? '' : `${part.replaceAll('\n', ' ')}: `}${reason}`,
    ...(decision === 'ask' ? needs.map((rule) => `  would be allowed by ${JSON.stringify(rule)}`) : []),
  ];
}

function told(lines: ReadonlyArray<string>): string {
  return `\n${lines.map(readableText).join('\n')}\n`;
}
