import type { Inputs } from "../../provider/schema/kind";
import type { Declaration } from "../support/engine-simulator";

/** A resource as the program declares it; `parent` undefined is the root. Others are named by their logical names. */
export type Node = { name: string; parent: string | undefined; adopt: boolean } & (
  | { kind: "group"; title: string; description: string }
  | { kind: "identity"; title: string; description: string; subject: string }
  | { kind: "roleBinding"; identity: string; role: string }
);

/** An object as the platform should show it: places are paths of names, so that no uid is in it. */
export interface Expected {
  collection: string;
  /** Names from the root down; of a binding that of its group. */
  place: string;
  fields: Record<string, unknown>;
}

export const issuer = "https://issuer.example";

/** The program, the result of its last run, and the changes to the platform since. Knows no provider. */
export class Model {
  nodes: readonly Node[] = [];
  /** The program of the last run that succeeded. */
  applied: readonly Node[] = [];
  /** True when the platform was changed behind the provider's back since the last refresh. */
  tampered = false;
  /** Names of groups under the root that were created by hand. */
  readonly foreign: string[] = [];
  #names = 0;

  /** A name that was not used before. */
  fresh(stem: string): string {
    return `${stem}-${++this.#names}`;
  }

  get isClean(): boolean {
    return !this.tampered && JSON.stringify(this.nodes) === JSON.stringify(this.applied);
  }

  find(name: string | undefined): Node | undefined {
    return this.nodes.find((node) => node.name === name);
  }

  /** True when `node`, replacing the resource with its logical name, would clash with nothing that is or may still be there. */
  allows(node: Node): boolean {
    const others = [...this.nodes, ...this.applied].filter((other) => other.name !== node.name);
    const isTaken = others.some((other) => keyOf(other) === keyOf(node));
    return !isTaken && !this.#lineage(node.parent).includes(node.name);
  }

  set(node: Node): void {
    this.nodes = this.find(node.name)
      ? this.nodes.map((other) => (other.name === node.name ? node : other))
      : [...this.nodes, node];
  }

  /** Takes the resource out of the program, and everything that cannot be without it. */
  remove(name: string): void {
    this.nodes = this.nodes.filter((node) => node.name !== name);
    for (const node of this.nodes) if (referencesOf(node).includes(name)) this.remove(node.name);
  }

  /** Gives the resource another logical name, which adopts what the old one made. */
  renameLogically(name: string, to: string): void {
    const renamed = (reference: string) => (reference === name ? to : reference);
    this.nodes = this.nodes.map((node) => ({
      ...node,
      name: renamed(node.name),
      parent: node.parent && renamed(node.parent),
      ...(node.kind === "roleBinding" && { identity: renamed(node.identity) }),
      adopt: node.adopt || node.name === name,
    }));
  }

  /** Everything that should be below the root, in a fixed order. */
  expected(): Expected[] {
    const declared = this.nodes.map((node) => this.#expectedOf(node));
    const foreign = this.foreign.map((title) => ({ collection: "groups", place: title, fields: { description: "" } }));
    return sorted([...declared, ...foreign]);
  }

  #expectedOf(node: Node): Expected {
    if (node.kind === "roleBinding") {
      const fields = { identity: this.#place(node.identity), role: node.role };
      return { collection: "roleBindings", place: this.#place(node.parent), fields };
    }
    const place = this.#place(node.name);
    const { description } = node;
    if (node.kind === "group") return { collection: "groups", place, fields: { description } };
    return { collection: "identities", place, fields: { description, claimMatch: { issuer, subject: node.subject } } };
  }

  #place(name: string | undefined): string {
    const titles = this.#lineage(name).map((each) => {
      const node = this.find(each);
      return node === undefined || node.kind === "roleBinding" ? "" : node.title;
    });
    return titles.reverse().join("/");
  }

  /** The group or identity, its parent, and so on to the root. */
  #lineage(name: string | undefined): string[] {
    return name === undefined ? [] : [name, ...this.#lineage(this.find(name)?.parent)];
  }
}

/** The objects that the platform should hold for a program of `nodes`. */
export function expectedOf(nodes: readonly Node[]): Expected[] {
  return Object.assign(new Model(), { nodes }).expected();
}

/** Expected or seen objects in an order of their own. */
export function sorted(objects: Expected[]): Expected[] {
  const text = (object: Expected) => JSON.stringify(object);
  return objects.sort((one, other) => (text(one) < text(other) ? -1 : 1));
}

/** Logical names that the resource depends on. */
function referencesOf(node: Node): string[] {
  return [...(node.parent === undefined ? [] : [node.parent]), ...(node.kind === "roleBinding" ? [node.identity] : [])];
}

/** A key that no two objects of the platform share. */
function keyOf(node: Node): string {
  const key = node.kind === "roleBinding" ? [node.identity, node.role] : [node.title];
  return JSON.stringify([node.kind, node.parent, ...key]);
}

/** The program of `nodes`, under the group `root`. */
export function programOf(nodes: readonly Node[], root: string): Declaration[] {
  return nodes.map((node) => ({
    name: node.name,
    kind: node.kind,
    dependsOn: referencesOf(node),
    inputs: (uidOf) => inputsOf(node, node.parent === undefined ? root : uidOf(node.parent), uidOf),
  }));
}

function inputsOf(node: Node, parentUid: string, uidOf: (name: string) => string): Inputs {
  const shared = { parentUid, ...(node.adopt && { adopt: true }) };
  switch (node.kind) {
    case "group":
      return { ...shared, name: node.title, description: node.description };
    case "identity":
      return { ...shared, name: node.title, description: node.description, claimMatch: { issuer, subject: node.subject } };
    case "roleBinding":
      return { ...shared, identityUid: uidOf(node.identity), roleUid: node.role };
  }
}
