import type { ToolInfo } from '@attractor/api';
import { createContext, useEffect, useState } from 'react';
import { api } from '../api.ts';

/** The tools that the server knows, for whatever shows a call of one. */
export const Tools = createContext<ReadonlyArray<ToolInfo>>([]);

/** Empty until they are known: calls are then shown like those of any tool. */
export function useTools(): ReadonlyArray<ToolInfo> {
  const [tools, setTools] = useState<ReadonlyArray<ToolInfo>>([]);
  useEffect(() => {
    let gone = false;
    void api.agents.tools().then((answer) => {
      if (answer.ok && !gone) setTools(answer.value);
    });
    return () => {
      gone = true;
    };
  }, []);
  return tools;
}
