/** Groups of names. A program gives exactly one of each group, or at most one. */
export type Groups<Name> = readonly (readonly Name[])[];

/** Two names, of which a program gives exactly one. */
type Pair = readonly [PropertyKey, PropertyKey];

/**
 * `Values`, of which a program gives exactly one of each group of `One` and of each pair in the union `Pairs`, and at most one of each
 * group of `Most`.
 */
export type Choose<
  Values,
  One extends Groups<PropertyKey>,
  Most extends Groups<PropertyKey> = readonly [],
  Pairs extends Pair = never,
> = OneOfEachPair<Values, Pairs> & // required members first, because the compiler's messages cut a type short
  ExactlyOne<Values, Tuple<One>> &
  AtMostOne<Values, Tuple<Most>> &
  Pick<Values, Exclude<keyof Values, Tuple<One>[number][number] | Tuple<Most>[number][number] | Pairs[number]>>;

/** The intersection over a union of pairs. A parameter that suits each of several functions has all their types. */
type OneOfEachPair<Values, Pairs extends Pair> = (Pairs extends Pair ? (values: OneOf<Values, Pairs>) => void : never) extends (
  values: infer All,
) => void
  ? All
  : never;

/** `All` if the compiler knows its groups, otherwise no groups. */
type Tuple<All extends Groups<PropertyKey>> = number extends All["length"] ? readonly [] : All;

type ExactlyOne<Values, All> = All extends readonly [infer First extends Groups<PropertyKey>[number], ...infer Rest]
  ? OneOf<Values, First> & ExactlyOne<Values, Rest>
  : unknown;

// The first name comes last, so that the compiler's messages mention it.
type OneOf<Values, Names extends readonly PropertyKey[], Left = Names> = Left extends readonly [infer Name, ...infer Others]
  ? OneOf<Values, Names, Others> | (Given<Picked<Values, Name>> & None<Picked<Values, Exclude<Names[number], Name>>>)
  : never;

type AtMostOne<Values, All> = All extends readonly [infer First extends Groups<PropertyKey>[number], ...infer Rest]
  ? { [Name in First[number]]: Picked<Values, Name> & None<Picked<Values, Exclude<First[number], Name>>> }[First[number]] &
      AtMostOne<Values, Rest>
  : unknown;

// Mapped from the properties themselves, so that editors show their doc comments.
type Picked<Values, Name> = Pick<Values, Name & keyof Values>;
type Given<Values> = { [Name in keyof Values]-?: Exclude<Values[Name], undefined> };
type None<Values> = { [Name in keyof Values]?: undefined };
