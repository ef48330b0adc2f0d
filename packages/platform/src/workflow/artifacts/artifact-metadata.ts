import type { ArtifactType } from '@attractor/store';

type Kind = 'text' | 'number';
type Field = { readonly kind: Kind | ReadonlyArray<string>; readonly required?: true };

/** The known fields of each type of artifact; others are allowed beside these. */
const FIELDS: Readonly<Record<ArtifactType, Readonly<Record<string, Field>>>> = {
  branch: { branchName: { kind: 'text', required: true }, baseBranch: { kind: 'text', required: true } },
  pull_request: {
    prNumber: { kind: 'number' },
    state: { kind: ['draft', 'open', 'merged', 'closed'], required: true },
    headBranch: { kind: 'text', required: true },
    baseBranch: { kind: 'text', required: true },
    mergedAt: { kind: 'text' },
  },
  commit: {
    hash: { kind: 'text', required: true },
    message: { kind: 'text', required: true },
    author: { kind: 'text' },
    branch: { kind: 'text' },
  },
  diff: {
    filesChanged: { kind: 'number', required: true },
    additions: { kind: 'number', required: true },
    deletions: { kind: 'number', required: true },
  },
  document: {
    docType: {
      kind: ['technical_design', 'product_spec', 'api_design', 'test_plan', 'analysis', 'adr'],
      required: true,
    },
  },
  mock: {
    format: { kind: ['html', 'image', 'figma'], required: true },
    width: { kind: 'number' },
    height: { kind: 'number' },
  },
  link: { description: { kind: 'text' } },
};

export const ARTIFACT_TYPES: ReadonlyArray<string> = Object.keys(FIELDS);

/** Null, or which field is wrong and what belongs there. */
export function metadataProblem(type: ArtifactType, metadata: Readonly<Record<string, unknown>>): string | null {
  for (const [name, field] of Object.entries(FIELDS[type])) {
    const value = metadata[name];
    if (value === undefined && field.required !== true) continue;
    if (!fits(value, field.kind)) return `metadata.${name}: expected ${expectation(field.kind)} for a ${type}.`;
  }
  return null;
}

function fits(value: unknown, kind: Field['kind']): boolean {
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value);
  if (typeof kind === 'string') return typeof value === 'string' && value !== '';
  return typeof value === 'string' && kind.includes(value);
}

function expectation(kind: Field['kind']): string {
  if (kind === 'number') return 'a number';
  return typeof kind === 'string' ? 'a text' : `one of ${kind.join(', ')}`;
}
