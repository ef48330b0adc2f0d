import type { SettingOrigin, SettingProblem } from './origin.ts';

/** One value of one setting, or one entry of a list or map setting (`key` in a map). */
export type SettingEntry = {
  readonly name: string;
  readonly key: string | null;
  readonly value: unknown;
  readonly origin: SettingOrigin;
  /** What the agent whose file it is calls it. Absent: as we do. */
  readonly written?: string;
};

/** A setting of another agent that has no counterpart here, known to us or only found in its files. */
export type UnmappedSetting = { readonly name: string; readonly origin: SettingOrigin; readonly reason: string };

export type SourceReading = {
  readonly entries: ReadonlyArray<SettingEntry>;
  readonly problems: ReadonlyArray<SettingProblem>;
  readonly unmapped: ReadonlyArray<UnmappedSetting>;
};

/**
 * own       our config.json: an unknown key is a mistake
 * lenient   a config.json of our format that others also write to: an unknown key does not map
 * claude    settings.json of Claude Code: an unknown key does not map
 * mcp       only `mcpServers` counts
 * the rest  files of other agents, each with its reader
 */
export type SourceForm = OwnForm | ForeignForm;

export type OwnForm = 'own' | 'lenient' | 'claude' | 'mcp';

export type ForeignForm =
  | 'codex'
  | 'codex-rules'
  | 'codex-hooks'
  | 'gemini'
  | 'gemini-policy'
  | 'opencode'
  | 'cline'
  | 'cursor'
  | 'qwen';

export type Source = {
  readonly form: SourceForm;
  readonly text: string;
  /** Its line is not used. */
  readonly origin: SettingOrigin;
};
