import { kindName, listedKinds } from "../inventory/kinds";
import type { Kind } from "../provider/schema/kind";

/** A request that the copy was sent. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
  readonly status: number | null;
}

/** A change that the copy was asked for. */
export interface Call {
  readonly verb: "create" | "update" | "delete";
  /** Published name of its kind: `iam:RoleBinding`. */
  readonly kind: string;
  /** Uid of the parent for a create, otherwise of the object. */
  readonly uid: string;
  /** The members sent; empty for a delete. */
  readonly body: Readonly<Record<string, unknown>>;
  /** False if the copy has refused it. */
  readonly isDone: boolean;
}

const verbs: Readonly<Record<string, Call["verb"]>> = { POST: "create", PATCH: "update", DELETE: "delete" };

const kindsBySegment: ReadonlyMap<string, Kind> = new Map(
  [...listedKinds.values()].map((kind) => [`${kind.collection.area} ${kind.collection.segment}`, kind]),
);

/** The changes among the requests, in order. Each object of a batch is a call. */
export function callsIn(requests: readonly SentRequest[]): Call[] {
  return requests.flatMap(({ method, path, body, status }): Call[] => {
    const [, area, segment, action, uid = ""] = /^\/(\w+)\/v\w+\/(\w+)(?::(\w+))?(?:\/(.+))?$/.exec(path) ?? [];
    const [verb, kind] = [verbs[method], kindsBySegment.get(`${area} ${segment}`)];
    // Other actions, and those on an object, only ask.
    if (verb === undefined || kind === undefined || (action !== undefined && action !== "batchCreate") || uid.includes(":"))
      return [];
    const call = { verb, kind: kindName(kind), isDone: status !== null && status < 300 };
    if (action === undefined) return [{ ...call, uid: decodeURIComponent(uid), body: membersOf(body) }];
    const { requests: parts } = membersOf(body);
    const member = kind.collection.batch?.member ?? "";
    return (Array.isArray(parts) ? parts : []).map((part: unknown) => {
      const { parent, [member]: own } = membersOf(part);
      return { ...call, uid: String(parent), body: membersOf(own) };
    });
  });
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
