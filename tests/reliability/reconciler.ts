import { TestPlatform, type WireObject } from "../support/test-platform";
import { Project } from "../engine/project";
import { declarable, EngineSimulator, settingsOf, startHost, type UpOptions } from "../support/engine-simulator";
import { type Expected, issuer, type Node, programOf, sorted } from "./model";

/** Something that brings a platform to what a program says. */
export interface Reconciler {
  /** @returns the steps taken; @throws with what was printed when the run failed */
  up(nodes: readonly Node[], options?: UpOptions): Promise<string[]>;
  /** @returns what has drifted */
  refresh(nodes: readonly Node[]): Promise<string[]>;
  /** Logical names and uids in state; of a name that is being replaced the new uid comes last. */
  uids(): Promise<[string, string][]>;
}

/** The providers in this process, driven by our own engine. */
export function inProcess(platform: TestPlatform, root: string): Reconciler {
  const engine = new EngineSimulator(({ adopt = false }) =>
    startHost({ ...settingsOf(platform), "platform:adopt": String(adopt) }),
  );
  return {
    up: (nodes, options) => engine.up(programOf(nodes, root), options),
    refresh: () => engine.refresh(),
    uids: () => Promise.resolve(engine.state.map(({ name, id }) => [name, id])),
  };
}

/** The real CLI with a stack of its own. */
export class RealEngine implements Reconciler {
  private constructor(
    private readonly platform: TestPlatform,
    readonly project: Project,
  ) {}

  static async create(platform: TestPlatform, root: string): Promise<RealEngine> {
    return new RealEngine(platform, await Project.create("", { ...platform.environment, PLATFORM_ORGANIZATION: root }));
  }

  async up(nodes: readonly Node[], { refresh = false, adopt = false }: UpOptions = {}): Promise<string[]> {
    await this.platform.letTimePass();
    await this.project.program(textOf(nodes));
    this.project.environment["PLATFORM_ADOPT"] = adopt ? "true" : "";
    const { code, output, steps } = await this.project.up(...(refresh ? ["--refresh", "--run-program"] : []));
    if (code !== 0) throw new Error(output);
    // The event of a refresh within an up comes for what has not drifted too.
    return steps.filter((step) => !step.startsWith("refresh "));
  }

  async refresh(): Promise<string[]> {
    await this.platform.letTimePass();
    const { code, output, steps } = await this.project.refresh("--run-program");
    if (code !== 0) throw new Error(output);
    return steps;
  }

  async uids(): Promise<[string, string][]> {
    const resources = await this.project.resources();
    return resources.map(({ urn, id }) => [urn.split("::").at(-1) ?? "", id ?? ""]);
  }
}

/** The program as JavaScript, what is referred to first. */
export function textOf(nodes: readonly Node[]): string {
  const lines = new Map<string, string>();
  const declare = (name: string): string => {
    const declaration = programOf(nodes, "root").find((each) => each.name === name);
    if (declaration === undefined) throw new Error(`the program has no resource ${name}`);
    declaration.dependsOn.forEach(declare);
    const marked = JSON.stringify(declaration.inputs((other) => `uid of ${other}`));
    const args = marked
      .replace('"parentUid":"root"', '"parentUid":root')
      .replaceAll(/"uid of ([^"]+)"/g, (_, other: string) => `all[${JSON.stringify(other)}].uid`);
    const text = JSON.stringify(name);
    lines.set(name, `all[${text}] = new ${declarable[declaration.kind].name}(${text}, ${args});`);
    return name;
  };
  nodes.forEach((node) => declare(node.name));
  return ["const all = {};", ...lines.values()].join("\n");
}

/** Every group, identity and role binding below `root`, by collection. */
export async function objectsBelow(platform: TestPlatform, root: string): Promise<WireObject[][]> {
  const collections = ["groups", "identities", "roleBindings"].map((collection) => platform.objects(collection));
  return (await Promise.all(collections)).map((rows) => rows.filter(({ uid }) => uid.startsWith(`${root}/`)));
}

/** Everything that the platform holds below `root`, in the form of {@link Expected}. */
export async function seen(platform: TestPlatform, root: string): Promise<{ objects: Expected[]; uids: string[] }> {
  const [groups = [], identities = [], bindings = []] = await objectsBelow(platform, root);
  const names = new Map([...groups, ...identities].map(({ uid, name }) => [uid, name]));
  const place = (uid: string): string => {
    const parent = uid.slice(0, uid.lastIndexOf("/"));
    return uid === root ? "" : [...(parent === root ? [] : [place(parent)]), names.get(uid) ?? "?"].join("/");
  };
  const parentPlace = ({ uid }: WireObject) => place(uid.slice(0, uid.lastIndexOf("/")));
  const reference = (object: WireObject, name: string) => (object[name] as { uid: string }).uid;
  const objects = [
    ...groups.map((each) => ({ collection: "groups", place: place(each.uid), fields: { description: each["description"] } })),
    ...identities.map((each) => ({
      collection: "identities",
      place: place(each.uid),
      fields: { description: each["description"], claimMatch: withoutEmpty(each["claimMatch"]) },
    })),
    ...bindings.map((each) => ({
      collection: "roleBindings",
      place: parentPlace(each),
      fields: { identity: place(reference(each, "identity")), role: reference(each, "role") },
    })),
  ];
  return { objects: sorted(objects), uids: [...groups, ...identities, ...bindings].map(({ uid }) => uid) };
}

/** The claim match with every member that says something, in a fixed order. */
function withoutEmpty(match: unknown): Record<string, unknown> {
  const said = Object.entries(match ?? {}).filter(([, value]) => value !== "" && JSON.stringify(value) !== "{}");
  return { issuer, ...Object.fromEntries(said) };
}
