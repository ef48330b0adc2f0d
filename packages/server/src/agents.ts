import { agentRoutes } from '@attractor/api';
import type { Routes } from './context.ts';

export const agentHandlers: Routes = (app, { agents }) => {
  app.get(agentRoutes.all, async (context) => context.json(await agents()));
};
