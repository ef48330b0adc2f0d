import { defined } from '@attractor/base';
import type { ImagePart, TextPart } from '@attractor/llm';
import { parseRule, type Policy } from '@attractor/policy';
import type { ChangedFiles, Expanded, ExpandPorts, SettingOrigin } from '@attractor/settings';
import { imageIn, isNamedLikeAnImage } from '../tools/read-image.ts';
import { EnvironmentError, type ExecutionEnvironment } from '../types/index.ts';

/** Where a template's commands run and its files are read, and the policy that judges them. */
export type TemplateWorld = {
  readonly policy: Policy;
  readonly environment: ExecutionEnvironment;
  /** What keeps a command of a repository's file from running: files that changed since they were trusted. Absent: nothing does. */
  readonly changed?: (command: string) => ChangedFiles | null;
  /** Asks a person about these. Absent: nobody can be asked. */
  readonly confirmChanged?: (what: string, changed: ChangedFiles) => Promise<boolean>;
};

export type TemplateRights = {
  /** What a person is told would run the command. */
  readonly what: string;
  /** `allowed-tools` of the file: allow rules for its own commands. Any deny or ask rule still wins. */
  readonly allowedTools: ReadonlyArray<string>;
  readonly origin: SettingOrigin;
  readonly signal?: AbortSignal | undefined;
};

const TIMEOUT_MS = 60_000;
const MAX_CHARACTERS = 30_000;

/** Commands run and files are read only if the policy allows it without asking: in the middle of a text there is nobody to ask. */
export function guardedPorts(world: TemplateWorld, rights: TemplateRights): ExpandPorts {
  const { policy, environment } = world;
  const judge = withAllowed(policy, rights, environment.workingDirectory());
  return {
    run: async (command) => {
      const judged = await judge.judge({ toolName: 'shell', args: { command } });
      if (judged.decision !== 'allow')
        return refused(
          `\`${command}\` was not run (${judged.reason}). Allow it in your settings or in "allowed-tools".`,
        );
      const changed = await unaccepted(world, rights, command);
      if (changed !== null) return refused(`\`${command}\` was not run: ${changed.message}`);
      return attempt(async () => {
        const signal = defined({ signal: rights.signal });
        const ran = await environment.execCommand(command, { timeoutMs: TIMEOUT_MS, ...signal });
        const output = [ran.stdout, ran.stderr].filter(Boolean).join('\n').trimEnd();
        if (ran.timedOut) return refused(`\`${command}\` took longer than a minute and was stopped.`);
        return { ok: true, text: output.slice(0, MAX_CHARACTERS) };
      });
    },
    read: (file) => readIfAllowed(file, { policy: judge, environment }),
  };
}

type Judged = { readonly policy: Pick<Policy, 'judge'>; readonly environment: ExecutionEnvironment };

/** Null: there is no such text, or it may not be read without asking. */
async function readIfAllowed(file: string, world: Judged): Promise<string | null> {
  const read = (): Promise<string> => world.environment.readText(file);
  return (await ifAllowed(file, world, read))?.slice(0, MAX_CHARACTERS) ?? null;
}

/** A file as a part of what a person says: an image, or its text. Null: it is neither, or may not be read without asking. */
export async function partIfAllowed(file: string, world: Judged): Promise<ImagePart | TextPart | null> {
  const bytes = isNamedLikeAnImage(file) ? await bytesIfAllowed(file, world) : null;
  const image = bytes === null ? null : imageIn(bytes);
  if (image !== null) return image;
  const text = await readIfAllowed(file, world);
  return text === null || text.includes('\0') ? null : { kind: 'TEXT', text };
}

/** The same for what need not be text. */
export function bytesIfAllowed(file: string, world: Judged): Promise<Uint8Array | null> {
  return ifAllowed(file, world, () => world.environment.readBytes(file));
}

async function ifAllowed<Read>(file: string, world: Judged, read: () => Promise<Read>): Promise<Read | null> {
  const { policy, environment } = world;
  if (!(await environment.fileExists(file))) return null;
  const judged = await policy.judge({ toolName: 'read_file', args: { file_path: file }, readOnly: true });
  return judged.decision === 'allow' ? read().catch(() => null) : null;
}

/** What keeps it from running, once a person was asked about it. What they saw is looked at again: it may have changed while they read. */
async function unaccepted(world: TemplateWorld, rights: TemplateRights, command: string): Promise<ChangedFiles | null> {
  const { scope } = rights.origin;
  const look = (): ChangedFiles | null =>
    scope === 'project' || scope === 'local' ? (world.changed?.(command) ?? null) : null;
  const changed = look();
  if (changed === null || (await world.confirmChanged?.(rights.what, changed)) !== true) return changed;
  changed.accept();
  return look();
}

/** Rules that can't be parsed allow nothing. */
function withAllowed(policy: Policy, { allowedTools, origin }: TemplateRights, root: string): Policy {
  const from = { scope: 'session', file: origin.file, line: origin.line, root } as const;
  const rules = allowedTools.flatMap((text) => {
    const parsed = parseRule(text, 'allow', from);
    return parsed.ok && parsed.rule.content !== null ? [parsed.rule] : [];
  });
  return rules.length === 0 ? policy : policy.withRules(rules);
}

function refused(message: string): Expanded {
  return { ok: false, message };
}

async function attempt(work: () => Promise<Expanded>): Promise<Expanded> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EnvironmentError) return refused(error.message);
    throw error;
  }
}
