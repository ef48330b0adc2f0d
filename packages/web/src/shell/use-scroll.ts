import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** Where somebody was on each page of this visit; the browser's own memory does not wait for what is still loading. */
const places = new Map<string, number>();

const LOOKS = 20;
const LOOK_MS = 50;

/** Back leads to where one was; a new page begins at its top. */
export function useScroll(): void {
  const [path] = useLocation();
  const isNew = useRef(false);
  const shown = useRef(path);
  useEffect(() => {
    history.scrollRestoration = 'manual';
    // Told by the router. Whoever goes back is not told of in time: the page is drawn before.
    const goOn = () => (isNew.current = location.pathname !== shown.current);
    const note = () => places.set(location.pathname, window.scrollY);
    window.addEventListener('pushState', goOn);
    window.addEventListener('scroll', note, { passive: true });
    return () => {
      window.removeEventListener('pushState', goOn);
      window.removeEventListener('scroll', note);
    };
  }, []);
  useLayoutEffect(() => {
    const wanted = isNew.current ? 0 : (places.get(path) ?? 0);
    isNew.current = false;
    shown.current = path;
    if (location.hash !== '') return undefined;
    let looks = 0;
    let timer = 0;
    const look = () => {
      window.scrollTo(0, wanted);
      looks += 1;
      if (window.scrollY < wanted && looks < LOOKS) timer = window.setTimeout(look, LOOK_MS);
    };
    look();
    return () => window.clearTimeout(timer);
  }, [path]);
}
