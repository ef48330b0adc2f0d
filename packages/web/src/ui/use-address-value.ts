import { useLocation, useSearch } from 'wouter';

/** A value in the address, so that a link leads to exactly what is shown; null where there is none. */
export function useAddressValue(name: string): readonly [string | null, (value: string | null) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const here = location.pathname;
  const set = (value: string | null) => {
    // Whoever has gone on meanwhile, while an answer was on its way, is not called back.
    if (location.pathname !== here) return;
    const values = new URLSearchParams(location.search);
    if (value === null) values.delete(name);
    else values.set(name, value);
    const text = values.toString();
    navigate(text === '' ? path : `${path}?${text}`, { replace: true });
  };
  return [new URLSearchParams(search).get(name), set];
}
