import { type ComponentType, createElement, use } from 'react';
import { connectionNow } from './connection.ts';

const AGAIN_MS = 700;
/** How often a part is asked for that a server which is there does not have: one of another version may have taken its place. */
const TRIES = 3;

/** A part of the app that is loaded when it is first shown. While the server is away it is asked for until it comes. */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let part: Promise<ComponentType<Props>> | null = null;
  // What failed has been told by then: whoever tries again asks anew.
  const forget = () => setTimeout(() => (part = null), AGAIN_MS);
  return function Late(props) {
    if (part === null) {
      part = untilLoaded(load);
      part.catch(forget);
    }
    return createElement(use(part), props);
  };
}

async function untilLoaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let tries = 1; ; tries += connectionNow() === 'live' ? 1 : 0) {
    try {
      return await load();
    } catch (error) {
      if (tries >= TRIES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
