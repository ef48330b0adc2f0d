import type { SettingOrigin } from '../settings/origin.ts';

/**
 * Instructions for one kind of work, of which a model knows name and description until it uses them. `body` is a template: see
 * `packages/settings/src/commands/template.ts`. A repository's skills count only once it is trusted.
 */
export type Skill = {
  /** With the plugin's name in front where a plugin brought it: `plugin:name`. */
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** Where its other files are. */
  readonly folder: string;
  readonly argumentHint: string | null;
  /** Names for its arguments, in order. */
  readonly argumentNames: ReadonlyArray<string>;
  /** Rules by which the commands in its body may run before it is read. */
  readonly allowedTools: ReadonlyArray<string>;
  readonly forModel: boolean;
  readonly forPerson: boolean;
  readonly origin: SettingOrigin;
};
