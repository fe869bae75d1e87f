import { roleBinding } from "../../kinds/role-binding";
import type { Values } from "../../schema/values";
import { create } from "../creating/create";
import { CreatedButFailed } from "../creating/created-but-failed";
import type { Run } from "../run/run";
import { bindingInputs, type Bound, type Wanted } from "./members";

/** A member that could not be added or removed, and why. */
export interface MemberFailure<Of> {
  readonly member: Of;
  readonly error: unknown;
}

/** The result of adding members. */
export interface Gains {
  readonly added: Bound[];
  readonly failures: MemberFailure<Wanted>[];
}

/**
 * Creates the role bindings of `wanted`, in batches of the size that the platform accepts. Each batch has the time limit of a create
 * to itself. After a failure no further batch is sent: the next `up` continues.
 */
export async function addMembers(groupUid: string, wanted: readonly Wanted[], run: Run): Promise<Gains> {
  const added: Bound[] = [];
  const failures: MemberFailure<Wanted>[] = [];
  for (const batch of batchesOf(wanted)) {
    await Promise.all(
      batch.map(async (member) => {
        try {
          const { id, outs } = await create(roleBinding, bindingInputs(groupUid, member), run);
          added.push(boundTo(member, id, outs));
        } catch (error) {
          // A created binding must not be lost, even if it is wrong.
          if (error instanceof CreatedButFailed) added.push(boundTo(member, error.uid, error.state));
          failures.push({ member, error });
        }
      }),
    );
    if (failures.length > 0) break;
  }
  return { added, failures };
}

function boundTo(member: Wanted, binding: string, outputs: Values): Bound {
  return { ...member, binding, createTime: textOf(outputs["createTime"]), login: textOf(outputs["login"]) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** `items` in parts as large as one batch of role bindings. */
export function batchesOf<Item>(items: readonly Item[]): Item[][] {
  const limit = roleBinding.collection.batch?.limit ?? 1;
  return Array.from({ length: Math.ceil(items.length / limit) }, (_, at) => items.slice(at * limit, (at + 1) * limit));
}
