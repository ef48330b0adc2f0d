import type { AgentInfo, RunConfigView } from '@attractor/api';
import type { Actor, PlatformWorkflow, Project, Result } from '@attractor/platform';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Access } from './auth.ts';
import type { FailedSignIns } from './failed-sign-ins.ts';
import type { Streams } from './sse.ts';

/** `incoming` and `outgoing` are absent when the app is called in the same process. */
export type Env = { Bindings: Partial<HttpBindings>; Variables: { actor: Actor } };

export type ExplainConfig = (project: Project, agentType?: string) => Promise<Result<RunConfigView>>;

export type Services = {
  readonly workflow: PlatformWorkflow;
  readonly agents: () => Promise<ReadonlyArray<AgentInfo>>;
  /** Null where no agents are known. */
  readonly explainConfig: ExplainConfig | null;
  readonly access: Access;
  readonly failedSignIns: FailedSignIns;
  readonly streams: Streams;
};

/** Each noun's file adds its routes to the one app. */
export type Routes = (app: Hono<Env>, services: Services) => void;
