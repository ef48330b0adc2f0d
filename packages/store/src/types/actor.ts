export type Actor = {
  readonly type: 'user' | 'agent' | 'system' | 'supervisor';
  readonly name?: string;
  readonly runId?: string;
};
