import type { SettingOrigin } from '../settings/origin.ts';
import type { WrittenHooks } from '../settings/session-settings.ts';

/**
 * Instructions for one type of work; a model knows only name and description until it uses them. `body` is a template: see
 * `packages/settings/src/template/template.ts`. A repository's skills count only once it is trusted.
 */
export type Skill = {
  /** With a plugin's name as prefix, if it belongs to one: `plugin:name`. */
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** Where its other files are. */
  readonly folder: string;
  readonly argumentHint: string | null;
  /** Names for its arguments, in order. */
  readonly argumentNames: ReadonlyArray<string>;
  /** Rules that allow the commands in its body, which run before it is read. */
  readonly allowedTools: ReadonlyArray<string>;
  /** They count once the skill was used. */
  readonly hooks: ReadonlyArray<WrittenHooks>;
  /** The model that answers while it is followed. Absent: the session's. */
  readonly model?: string;
  /** The type of agent that carries it out in a conversation of its own. Absent: it is read in the conversation. */
  readonly fork?: string;
  readonly isOfPlugin: boolean;
  readonly forModel: boolean;
  readonly forPerson: boolean;
  readonly origin: SettingOrigin;
};
