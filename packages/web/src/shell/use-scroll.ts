import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/** Where somebody was on each page of this visit; the browser's own memory does not wait for what is still loading. */
const places = new Map<string, number>();

const LOOKS = 20;
const LOOK_MS = 50;

/** Back leads to where one was; a new page begins at its top. */
export function useScroll(): void {
  const [path] = useLocation();
  const isBack = useRef(false);
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const goBack = () => (isBack.current = true);
    const note = () => places.set(location.pathname, window.scrollY);
    window.addEventListener('popstate', goBack);
    window.addEventListener('scroll', note, { passive: true });
    return () => {
      window.removeEventListener('popstate', goBack);
      window.removeEventListener('scroll', note);
    };
  }, []);
  useLayoutEffect(() => {
    const wanted = isBack.current ? (places.get(path) ?? 0) : 0;
    isBack.current = false;
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
