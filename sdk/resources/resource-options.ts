import * as pulumi from "@pulumi/pulumi";
import { literal } from "../../provider/client/printable";
import type { Door, RejectedOptions } from "./door";
import { invalid } from "../program/program-failure";

/**
 * Rejects the options of a resource that would lose the object or have no effect.
 *
 * @throws pulumi.RunError
 */
export function rejectOptions(what: string, opts: pulumi.CustomResourceOptions, { rejected }: Pick<Door, "rejected">): void {
  for (const [option, reason] of Object.entries(rejected)) {
    const value: unknown = opts[option as keyof typeof opts];
    const isSet = Array.isArray(value) ? value.length > 0 : Boolean(value);
    if (isSet) throw invalid(`${what}: the option ${option} is not supported: ${reason}`);
  }
}

/** The resources with `deletedWith`. The engine passes the option on to their children, and the SDK does not record it. */
const deletedWith = new WeakSet<pulumi.Resource>();

const watched = new WeakSet<pulumi.Resource>();

/** Records `deletedWith` of every resource that the program constructs from now on. */
export function watchStack(): void {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined || watched.has(stack)) return;
  watched.add(stack);
  pulumi.runtime.registerStackTransformation(({ resource, opts }) => {
    if (opts.deletedWith) deletedWith.add(resource);
    return undefined;
  });
}

/** The parent of `resource`, which the SDK keeps to itself. */
export function parentOf(resource: pulumi.Resource): pulumi.Resource | undefined {
  return Reflect.get(resource, "__parentResource") as pulumi.Resource | undefined;
}

/**
 * Makes {@link rejectOptions} the last transformation of every resource that inherits from `prototype`. The transformations of the
 * program, its components and its stack may add options to a resource constructed without them.
 *
 * @param rejectedFor returns the rejected options for a resource
 */
export function checkOptionsLast(prototype: object, rejectedFor: (resource: pulumi.Resource) => RejectedOptions): void {
  Object.defineProperty(prototype, "__transformations", {
    set(this: pulumi.Resource, all: pulumi.ResourceTransformation[]) {
      const last: pulumi.ResourceTransformation = ({ resource, type, name, opts }) => {
        // A child inherits the transformations of its parent.
        if (resource === this)
          rejectFinalOptions(`${type.split(":").at(-1) ?? ""} ${literal(name)}`, opts, rejectedFor(resource));
        return undefined;
      };
      const value = [...all, last];
      Object.defineProperty(this, "__transformations", { value, writable: true, enumerable: true, configurable: true });
    },
  });
}

function rejectFinalOptions(what: string, opts: pulumi.CustomResourceOptions, rejected: RejectedOptions): void {
  rejectOptions(what, opts, { rejected });
  const stack = pulumi.runtime.getStackResource();
  for (let parent = opts.parent ?? stack; parent !== undefined; parent = parentOf(parent)) {
    if (deletedWith.has(parent))
      rejectOptions(`${what} (a child of a resource with deletedWith)`, { deletedWith: parent }, { rejected });
  }
}

// Components may be constructed before the first resource of this package.
watchStack();
