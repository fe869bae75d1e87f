/** `derive` of a declaration, computed once, because declarations never change. */
export function derivedOnce<Of extends object, Result>(derive: (of: Of) => Result): (of: Of) => Result {
  const known = new WeakMap<Of, { readonly result: Result }>();
  return (of) => {
    let derived = known.get(of);
    if (derived === undefined) known.set(of, (derived = { result: derive(of) }));
    return derived.result;
  };
}
