import type { SettingOrigin } from '../settings/origin.ts';
import type { TemplateForm } from '../template/template.ts';

/** A text that a person keeps under a name: `/name arguments`. A repository's commands count only once it is trusted. */
export type UserCommand = {
  /** Folders are part of it: `front/test.md` is `front:test`. A plugin's name is a prefix. */
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string | null;
  readonly template: string;
  readonly form: TemplateForm;
  readonly allowedTools: ReadonlyArray<string>;
  /** The model that answers it. Absent: the session's. */
  readonly model?: string;
  /** The type of agent that carries it out in a conversation of its own. Absent: it is read in the conversation. */
  readonly fork?: string;
  readonly isOfPlugin: boolean;
  /** Whether a model may call it. A person always may. */
  readonly forModel: boolean;
  readonly origin: SettingOrigin;
};
