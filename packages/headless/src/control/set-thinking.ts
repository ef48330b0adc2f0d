import { displayNamed } from '../service-wishes.ts';
import type { Answer } from './controlled.ts';
import { effortOf } from './effort.ts';

/** How much the model thinks, and whether the program is told what. Nothing is changed if one of the two can't be. */
export const setThinking: Answer = ({ session, show }, { max_thinking_tokens: tokens, thinking_display: display }) => {
  const effort = tokens === undefined ? undefined : effortOf(tokens);
  if (tokens !== undefined && effort === undefined)
    return { error: 'set_max_thinking_tokens needs a number of tokens, or null.' };
  const shown = display === null ? null : displayNamed(display);
  if (display !== undefined && shown === undefined)
    return {
      error: `set_max_thinking_tokens: thinking is not shown as ${JSON.stringify(display)} here: summarized or omitted.`,
    };
  if (effort !== undefined) session.configure({ reasoningEffort: effort });
  if (shown !== undefined) show(shown);
  return { response: {} };
};
