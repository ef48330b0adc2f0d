import type { Actor, Artifact, Result, TemplateFields } from '@attractor/store';

export type ArtifactInput = Pick<Artifact, 'type' | 'label'> &
  Partial<Pick<Artifact, 'url' | 'content' | 'filePath' | 'phaseId' | 'metadata'>> & {
    readonly taskId: string;
    /** Unique within the task. Absent: made from the type and the label. */
    readonly key?: string;
  };

export type ArtifactEdit = Partial<Pick<Artifact, 'label' | 'url' | 'content' | 'metadata'>>;

export type NewTemplate = {
  /** Present: this artifact is changed. */
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  readonly fields: TemplateFields;
};

export type ArtifactCommands = {
  readonly listArtifacts: (taskId: string) => Promise<ReadonlyArray<Artifact>>;
  readonly getArtifact: (id: string) => Promise<Artifact | null>;
  /** Refused if the task already has that key. */
  readonly addArtifact: (input: ArtifactInput, actor: Actor) => Promise<Result<Artifact>>;
  readonly updateArtifact: (id: string, edit: ArtifactEdit, actor: Actor) => Promise<Result<Artifact>>;
  readonly removeArtifact: (id: string, actor: Actor) => Promise<Result<null>>;
};
