import type { ToolInfo } from '@attractor/api';
import { createContext } from 'react';
import { useAnswer } from '../data/answers.ts';
import { api } from '../data/api.ts';

/** The tools that the server knows, for whatever shows a call of one. */
export const Tools = createContext<ReadonlyArray<ToolInfo>>([]);

const NONE: ReadonlyArray<ToolInfo> = [];

/** Empty until they are known: calls are then shown like those of any tool. */
export function useTools(): ReadonlyArray<ToolInfo> {
  const tools = useAnswer(['tools'], () => api.agents.tools());
  return tools.state === 'ready' ? tools.value : NONE;
}
