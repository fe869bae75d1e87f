import { declaredInputs, type Kind } from "../../provider/schema/kind";
import { changeOf as changeBetween } from "../../provider/schema/request-body";

/** The request of an update that turns `olds` into `news`. */
export function changeOf(
  kind: Kind,
  olds: Record<string, unknown>,
  news: Record<string, unknown>,
): { body: object; mask: string[] } {
  const { body, mask } = changeBetween(kind, declaredInputs(kind, olds), declaredInputs(kind, news));
  return { body, mask };
}
