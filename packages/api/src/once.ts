/** Makes a value on first use. Schemas cost a millisecond each, and only decoding needs them. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
