/** Makes a value when it is first asked for. Schemas cost a millisecond each and belong to none but who decodes. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
