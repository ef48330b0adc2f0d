import { once } from '@attractor/base';
import { EFFORTS, PERMISSION_MODES } from '@attractor/facts';
import { z } from 'zod';
import { list } from './shape.ts';

/** What people may change while an agent works. */
export const changeable = () => ({
  model: z.string().exactOptional(),
  effort: z.enum(EFFORTS).exactOptional(),
  permissionMode: z.enum(PERMISSION_MODES).exactOptional(),
});

export const agentConfig = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      ...changeable(),
      provider: z.string().exactOptional(),
      maxTurns: z.number().exactOptional(),
      timeout: z.number().exactOptional(),
      systemPrompt: z.string().exactOptional(),
      autoCommit: z.boolean().exactOptional(),
      autoPush: z.boolean().exactOptional(),
      branchPrefix: z.string().exactOptional(),
      baseBranch: z.string().exactOptional(),
      branchStrategy: z.enum(['new-per-task', 'new-per-run']).exactOptional(),
      preserveUncommitted: z.boolean().exactOptional(),
      rebaseOnStart: z.boolean().exactOptional(),
      onConflict: z.enum(['continue', 'fail']).exactOptional(),
      installDeps: z.boolean().exactOptional(),
    })
    .meta({ id: 'AgentConfig' }),
);

export const agentAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      type: z.string(),
      displayName: z.string(),
      available: z.boolean(),
      reason: z.string().nullable(),
      isDefault: z.boolean(),
      defaultIn: list(z.string()),
      defaults: agentConfig(),
    })
    .meta({ id: 'AgentInfo' }),
);

export const providerAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      id: z.string(),
      isReady: z.boolean(),
      isKeyOptional: z.boolean(),
      keyVariables: list(z.string()),
      addressVariables: list(z.string()),
      settingsFile: z.string(),
      models: list(z.strictObject({ id: z.string(), aliases: list(z.string()), contextWindow: z.number() })),
    })
    .meta({ id: 'ProviderInfo' }),
);

export const toolAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      name: z.string(),
      names: list(z.string()),
      does: z.string(),
      subject: list(z.string()),
    })
    .meta({ id: 'ToolInfo' }),
);

export const runConfigAnswer = /* @__PURE__ */ once(() =>
  z
    .strictObject({
      agentType: z.string(),
      values: list(
        z.strictObject({
          name: z.string(),
          value: z.unknown(),
          origin: z
            .strictObject({
              layer: z.enum(['agent', 'home', 'project', 'hook', 'run']),
              file: z.string().exactOptional(),
              line: z.number().exactOptional(),
            })
            .nullable(),
        }),
      ),
      isProjectIgnored: z.boolean(),
    })
    .meta({ id: 'RunConfig' }),
);
