import * as pulumi from "@pulumi/pulumi";
import { groupAccess } from "../provider/kinds/group-access";
import { companionsArgument } from "../provider/kinds/inputs";
import { roleBinding } from "../provider/kinds/role-binding";
import { isMocked } from "./functions/mocks";
import { type ServedType, servedType } from "./served-type";

const [complete, single] = [groupAccess, roleBinding].map((kind) => servedType(kind).token as string);

/** The types of the resources that give access, in the order in which the program declares them. */
const declared: string[] = [];

/**
 * What a resource that gives access tells its provider in an update: which others the program declares at the same time, so that a
 * `GroupAccess` removes nobody whom one of them, maybe of another provider, is about to take over. Nothing without a `GroupAccess`.
 */
export function companions({ token }: Pick<ServedType, "token">): pulumi.Inputs {
  if ((token !== complete && token !== single) || pulumi.runtime.isDryRun() || isMocked()) return {};
  const id = declared.push(token) - 1;
  return { [companionsArgument]: turn().then(() => said(id)) };
}

function said(id: number): { id: number; others: number[] } | undefined {
  if (declared.length === 1 || !declared.includes(complete ?? "")) return undefined;
  const others = declared[id] === complete ? [...declared.keys()].filter((other) => other !== id) : [];
  return { id, others };
}

/** Resolves once the program has declared what it declares without waiting for anything. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
