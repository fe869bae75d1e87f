import * as pulumi from "@pulumi/pulumi";
import { codeOf } from "../../provider/client/errors";
import { literal } from "../../provider/client/printable";
import { hasPlatformForm, isUid } from "../../provider/client/uid";
import { importFormText, mayNameObject } from "../../provider/schema/import-id";
import { uid } from "../../provider/schema/inputs";
import type { Kind } from "../../provider/schema/kind";
import { namedUid } from "../../provider/sources/named-uid";
import { isEventual } from "../program/arguments";
import { isMocked } from "../program/mocks";
import { platformClient, programConfiguration } from "../program/platform-client";
import { invalid, plainMessageOf, ProgramFailure } from "../program/program-failure";
import { sharedReader } from "../program/shared-lists";
import { providerOf } from "./provider";

/** The object that a program reads. */
interface Sought {
  /** The resource, for messages. */
  readonly what: string;
  /** Undefined for a value, which only a uid could name. */
  readonly kind: Kind | undefined;
  readonly opts: pulumi.CustomResourceOptions;
}

/**
 * The uid for the engine, checked now or once it is known, because the engine treats an empty id as absent and would create a new resource.
 * A name is looked up here. The engine keeps the uid that it reads, but the program would have the name as `id` and `uid`, and a declared
 * resource that becomes a read one would be deleted, because its uid is another text.
 *
 * @throws pulumi.RunError
 */
// See docs/contributing/engine.md#get.
export function idToRead(sought: Sought, id: pulumi.Input<pulumi.ID>): pulumi.Input<pulumi.ID> {
  if (!isEventual(id)) {
    const text = checked(sought, id);
    if (isAsItIs(sought, text)) return text;
  }
  const provider = providerOf(sought.opts);
  // An id is not secret because a setting is encrypted.
  const settings = provider && pulumi.unsecret(provider.settings);
  return pulumi.all([id, settings]).apply(async ([known, settled]) => {
    const text = checked(sought, known);
    const { kind, what } = sought;
    if (kind === undefined || isAsItIs(sought, text)) return text;
    try {
      const { organization } = programConfiguration(settled);
      return await namedUid(kind, text, sharedReader(platformClient(settled)), organization);
    } catch (error) {
      throw failure(what, error);
    }
  });
}

/** True for a text that no look-up would change. Mocks have no platform. */
function isAsItIs({ kind }: Sought, text: string): boolean {
  return kind === undefined || isMocked() || (isUid(text) && hasPlatformForm(text));
}

function checked({ what, kind }: Sought, id: unknown): pulumi.ID {
  const parsed = uid.safeParse(id === null || id === "" ? undefined : id);
  if (parsed.success) return parsed.data;
  if (kind !== undefined && typeof id === "string" && mayNameObject(id, kind.importForm)) return id;
  const form = kind && typeof id === "string" && id !== "" ? importFormText(kind) : undefined;
  const why = parsed.error.issues.map(({ message }) => message).join(", ");
  throw invalid(`${what} cannot be read: uid ${why}${form === undefined ? "" : `; nor is it of the form ${literal(form)}`}.`);
}

/** An error without a stack, which the engine would print where the result is an argument of a resource. */
function failure(what: string, error: unknown): ProgramFailure {
  const failed = new ProgramFailure(codeOf(error), `${what} cannot be read: ${plainMessageOf(error)}`, error);
  failed.stack = failed.message;
  return failed;
}
