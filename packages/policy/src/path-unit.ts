import path from 'node:path';
import { isSecretName } from '@attractor/shell/secret-names';
import type { CompiledRule } from './compile-rule.ts';
import { matchesPattern, patternFor, type PathPattern } from './path-pattern.ts';
import { pathForms, type PathForms } from './real-path.ts';
import { namesTool } from './rule-names.ts';
import type { Decision } from './types.ts';
import type { Forced, Nature, Unit } from './unit.ts';
import { refusedByLimit } from './work-limit.ts';
import { folderAround, isHook, isHostFile, isProtected, type Workspace } from './workspace.ts';

/** `toolName` null: a command does it, not a file tool. */
export type PathAccess = {
  readonly path: string;
  readonly cwd: string;
  readonly access: 'read' | 'edit';
  readonly toolName: string | null;
  /** It is removed, and what a link leads to is not touched. */
  readonly isRemoved?: boolean;
};

/** A file or folder that would be read or changed. An allow rule has to match both a link and its target, a deny rule either. */
export function pathUnit(workspace: Workspace, wanted: PathAccess): Unit {
  const forms = pathForms(wanted.cwd, wanted.path);
  const folder = forms.real === null ? null : folderAround(workspace, forms.real);
  const forced = forcedBy(wanted, forms, { workspace, folder });
  return {
    part: wanted.path,
    ...natureOf(wanted, forms, folder),
    speaksOf: (rule) => speaksOfPath(rule, forms, wanted),
    ...(forced === null ? { suggestion: () => suggestionFor(workspace, wanted, forms) } : { forced }),
  };
}

const HARMLESS: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/stdin']);

function natureOf(
  { access }: PathAccess,
  { asked, real, kind }: PathForms,
  folder: string | null,
): { readonly nature: Nature; readonly because: string } {
  if (HARMLESS.has(asked)) return { nature: 'read', because: 'it keeps nothing' };
  if (access === 'read' && folder === null) return { nature: 'outsideRead', because: 'it reads outside the workspace' };
  if (access === 'read') {
    const names = kind === 'file' && real !== null && folder !== null ? path.relative(folder, real).split('/') : [];
    const name = path.basename(asked);
    return names.some(isSecretName) || (kind === 'file' && name !== names.at(-1) && isSecretName(name))
      ? { nature: 'secretRead', because: 'it reads a file that usually holds secrets' }
      : { nature: 'read', because: 'it reads in the workspace' };
  }
  return folder === null
    ? { nature: 'outsideEdit', because: 'it changes a file outside the workspace' }
    : { nature: 'edit', because: 'it changes a file in the workspace' };
}

function forcedBy(
  access: PathAccess,
  forms: PathForms,
  place: { readonly workspace: Workspace; readonly folder: string | null },
): Forced | null {
  if (HARMLESS.has(forms.asked)) return null;
  const refused =
    refusedAnyway(access, forms, place.workspace) ??
    (access.access === 'edit' ? refusedByLimit(place.workspace, forms) : null);
  return refused === null ? steersOthers(access, forms, place) : { decision: 'deny', reason: refused };
}

function refusedAnyway(
  { path: wanted, access, toolName, isRemoved }: PathAccess,
  { asked, real }: PathForms,
  workspace: Workspace,
): string | null {
  const { containment } = workspace;
  if (isHostFile(workspace, asked, real))
    return `${wanted} opens the server that this work is done for: no agent may touch it`;
  const how = access === 'read' ? 'read' : 'write';
  if (toolName !== null) return containment.tools?.(wanted, isRemoved === true ? 'remove' : how) ?? null;
  const at = isRemoved === true ? ownPlace(asked) : real;
  return at === null ? null : (containment.commands?.(at, how) ?? null);
}

/** Of a link the place where it lies: to remove it touches nothing that it leads to. */
function ownPlace(asked: string): string | null {
  const { real } = pathForms('/', path.dirname(asked));
  return real === null ? null : path.join(real, path.basename(asked));
}

function steersOthers(
  { access, path: wanted, toolName }: PathAccess,
  forms: PathForms,
  { workspace, folder }: { readonly workspace: Workspace; readonly folder: string | null },
): Forced | null {
  if (forms.real === null) return { decision: 'ask', reason: `where ${wanted} leads can't be told` };
  if (access === 'read' || folder === null) return null;
  if (isHook(workspace, folder, forms.real))
    return { decision: 'ask', reason: `${wanted} is run by git, whose settings name it or its folder` };
  if (!isProtected(folder, forms.real)) return null;
  const reason = `${wanted} is protected: files there steer other programs`;
  // The file tools refuse it in any case, so asking would be pointless.
  return { decision: toolName === null ? 'ask' : 'deny', reason };
}

function speaksOfPath(
  { rule, kind, content }: CompiledRule,
  forms: PathForms,
  { access, toolName }: PathAccess,
): boolean {
  const readDenied = kind === 'read' && rule.behavior === 'deny';
  const isOfKind =
    access === 'read'
      ? kind === 'read' || (toolName !== null && content === null && namesTool(rule.tool, toolName))
      : readDenied || (kind === 'edit' && coversEdit(rule.tool, toolName, rule.behavior));
  if (!isOfKind) return false;
  if (content === null) return true;
  return content.kind === 'path' && matchesForms(content.pattern, forms, rule.behavior);
}

/** What a command writes is an edit: only Edit rules allow it, and any rule on edits can stop it. */
function coversEdit(ruleTool: string, toolName: string | null, behavior: Decision): boolean {
  return toolName === null ? behavior !== 'allow' || ruleTool === 'Edit' : namesTool(ruleTool, toolName);
}

/** A name that no pattern means: what matches it below a folder matches everything there. */
const ANYTHING = '\u0001anything';

export function matchesForms(pattern: PathPattern, { asked, real, kind }: PathForms, behavior: Decision): boolean {
  if (behavior !== 'allow') {
    return matchesPattern(pattern, asked, null) || (real !== null && matchesPattern(pattern, real, null));
  }
  const fits = (one: string): boolean =>
    matchesPattern(pattern, one, kind) || (kind === 'folder' && matchesPattern(pattern, `${one}/${ANYTHING}`, 'file'));
  return real !== null && fits(asked) && fits(real);
}

/** If a link leads elsewhere no single rule matches both. */
function suggestionFor(
  { root, folders }: Workspace,
  { access }: PathAccess,
  { asked, real, kind }: PathForms,
): string | null {
  const [realRoot = root] = folders;
  const below = path.relative(root, asked);
  const inside = !below.startsWith('..') && path.join(realRoot, below) === real;
  if (/[\p{C}()]/u.test(asked) || (!inside && asked !== real)) return null;
  const name = access === 'read' ? 'Read' : 'Edit';
  const where = inside ? `/${patternFor(below)}` : `/${patternFor(asked)}`;
  return `${name}(${where}${kind === 'folder' ? '/**' : ''})`;
}
