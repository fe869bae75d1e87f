import { isDeepStrictEqual } from "node:util";
import { nameInWords } from "../../access/values";
import type { Notice } from "../../preview/apply";
import { noState, type PreviewFile, type PreviewState, type PreviewStep } from "../../preview/file";
import { isShown, seen } from "../../preview/seen";
import { list } from "../../provider/client/printable";
import { hasPlatformForm } from "../../provider/client/uid";
import { pluginDownloadUrl, version } from "../../provider/client/version";

/** Inputs of a provider. Settings have their names without a namespace: `baseUrl`. */
export type ProviderInputs = Readonly<Record<string, unknown>>;

/** A provider that the program declares. It decides which plugin serves resources, on which platform, and as which identity. */
interface Provider {
  readonly urn: string;
  readonly name: string;
  /** Undefined if the update makes it. */
  readonly before: ProviderInputs | undefined;
  /** The inputs after the update, or else before it. */
  readonly inputs: ProviderInputs;
}

/** How a provider differs from the settings of the stack. */
export interface Foreign {
  readonly name: string;
  /** Names of the settings that differ. */
  readonly settings: readonly string[];
  /** True if the update changes its address, so even unchanged resources mean other objects. */
  readonly isMoved: boolean;
}

/** The settings that decide the platform, the identity and the credentials. */
const deciding = ["baseUrl", "authUrl", "audience", "identity", "oidcTokenFile", "tokenCommand", "oidcAudience"];

/** Inputs that the engine notes in a provider besides its settings. */
// See docs/contributing/engine.md#providers-in-previews.
export const engineInputs: readonly string[] = [
  "version",
  "pluginDownloadURL",
  "pluginChecksums",
  "parameterization",
  "envVarMappings",
];

/** The noted inputs of the plugin of this release. */
export const ofThisRelease: ProviderInputs = { version, pluginDownloadURL: pluginDownloadUrl };

/** Type of the providers of the plugin. */
export const pluginType = "pulumi:providers:platform";

/** The noted inputs of a provider that differ from those of a release. */
export function otherThan(release: ProviderInputs, inputs: ProviderInputs): string[] {
  const noted = Object.entries(inputs).filter(([key]) => engineInputs.includes(key));
  const found = [...noted, ...Object.entries({ ...(inputs["__internal"] as object | undefined) })];
  return found.flatMap(([key, value]) => (value === undefined || value !== release[key] ? key : []));
}

/** True for a type of the providers that may serve resources of this package: the plugin, and Pulumi's dynamic provider host. */
export function isProviderType(type: string): boolean {
  return type === pluginType || type === "pulumi:providers:pulumi-nodejs";
}

/** Inputs of a provider without the namespace that the dynamic provider host wants. */
export function settingsIn(inputs: object): ProviderInputs {
  return Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key.replace(/^platform:/, ""), value]));
}

/** The providers in a preview. The engine shows no step of a default provider, so the configuration of the stack stands for it. */
export class Providers {
  readonly #settings: ProviderInputs;
  readonly #former: ProviderInputs | undefined;
  /** Providers of the program, by URN. */
  readonly #declared: ReadonlyMap<string, Provider>;

  /** @param address of the platform to review; undefined if the review reads none */
  constructor(
    { steps, config, formerSettings }: PreviewFile,
    private readonly address?: string,
  ) {
    this.#settings = settingsIn(Object.fromEntries(Object.entries(config).filter(([key]) => key.startsWith("platform:"))));
    this.#former = formerSettings;
    const shown = Map.groupBy(
      steps.filter(({ urn }) => isProviderType(typeIn(urn))),
      ({ urn }) => urn,
    );
    const declared = [...shown].map(([urn, all]) => ({ all, provider: declaredBy(urn, all) }));
    // States may still name a provider by the old URN of an alias.
    this.#declared = new Map(
      declared.flatMap(({ all, provider }) =>
        all.flatMap(({ urn, oldState }) => [urn, oldState.urn || urn]).map((urn) => [urn, provider] as const),
      ),
    );
  }

  /**
   * Why the provider of a resource is not known to be the code of this release, as the start of a sentence.
   *
   * @param reference to the provider, from the state of the resource
   * @param type that the provider must have
   */
  wrongCode(reference: string | undefined, type: string): string | undefined {
    const urn = urnIn(reference);
    const name = nameInWords(nameIn(urn));
    if (typeIn(urn) !== type) return `its provider is not a ${type.split(":").at(-1)} provider`;
    const release = type === pluginType ? ofThisRelease : {};
    const inputs = this.#declared.get(urn)?.inputs;
    if (inputs === undefined) return nameProblem(nameIn(urn), release);
    const wrong = otherThan(release, inputs);
    return wrong.length === 0 ? undefined : `its provider ${name} has another ${list(wrong)}`;
  }

  /** How a provider of the program differs from the stack; undefined if it works on the same platform, as the same identity. */
  foreign(reference: string | undefined): Foreign | undefined {
    const provider = this.#declared.get(urnIn(reference));
    if (provider === undefined) return undefined;
    const { name, before, inputs } = provider;
    const isMoved = before !== undefined && !isSame(before["baseUrl"], inputs["baseUrl"]);
    // A provider with its own address uses no credentials of the environment.
    const isElsewhere = isMoved || String(inputs["arguments"]).split(",").includes("baseUrl");
    const differs = (key: string) => !isSame(inputs[key], this.#settings[key]);
    const settings = deciding.filter((key) => differs(key) || (isElsewhere && key === "baseUrl"));
    return settings.length === 0 ? undefined : { name, settings, isMoved };
  }

  /** True for a provider that the engine makes from the settings of the stack. */
  isOfStack(reference: string | undefined): boolean {
    return !this.#declared.has(urnIn(reference));
  }

  /** Why the review reads another platform than the settings of the stack name, as a sentence; undefined if it does not. */
  otherPlatform(): string | undefined {
    const { address } = this;
    // Without an address in the settings, the one of the environment applies.
    const [was, is] = [this.#former, this.#settings].map((settings) => settings && (settings["baseUrl"] ?? address));
    const [from, to] = [was, is].map((each) => shown("baseUrl", each));
    if (address !== undefined && !isSame(is, address))
      return `the settings of its stack name ${to} (platform:baseUrl), but the review reads ${address}. Pass --stack, or set PLATFORM_BASE_URL to the platform of the stack`;
    if (was === undefined || is === undefined || isSame(was, is)) return undefined;
    return `platform:baseUrl changes from ${from} to ${to}, and the state has objects of the former. Give another platform a stack of its own`;
  }

  /** The changed settings, and the new providers. Shows no value that may be a secret. */
  notices(): Notice[] {
    const changed = this.#former === undefined ? [] : changesOf(this.#former, this.#settings, "platform:");
    const stack = changed.length === 0 ? [] : [{ message: `the settings of the stack change: ${list(changed)}` }];
    return [
      ...stack,
      ...[...new Set(this.#declared.values())].flatMap(({ urn, name, before, inputs }): Notice[] => {
        const changes = changesOf(before ?? {}, inputs);
        const what = before === undefined ? "is new" : "changes";
        return changes.length === 0 ? [] : [{ message: `provider ${nameInWords(name)} ${what}: ${list(changes)}`, urn }];
      }),
    ];
  }
}

/** A provider of the program by its steps. */
function declaredBy(urn: string, steps: readonly PreviewStep[]): Provider {
  const inputsIn = (states: readonly PreviewState[]) =>
    states.filter((each) => each !== noState).map(({ inputs }) => settingsIn(inputs));
  const before = inputsIn(steps.map(({ oldState }) => oldState))[0];
  const inputs = inputsIn(steps.map(({ newState }) => newState)).at(-1) ?? before ?? {};
  return { urn, name: nameIn(urn), before, inputs };
}

/**
 * Why a provider without a step in the preview is not the engine's default one for the plugin of this release. The name of a default
 * provider contains the version and the address that the program asks for.
 */
function nameProblem(name: string, { version: released, pluginDownloadURL: published }: ProviderInputs): string | undefined {
  if (!name.startsWith("default")) return `the preview does not show its provider ${nameInWords(name)}`;
  const parts = [released, published].filter((part) => typeof part === "string");
  const tagged = ["default", ...parts.map(namePart)].join("_");
  return name === "default" || name === tagged ? undefined : `its provider is ${nameInWords(name)}`;
}

/** A version or an address, in the form that the engine uses in names. */
function namePart(part: string): string {
  if (!part.includes("/")) return part.replaceAll(/[.+-]/g, "_");
  return part
    .split("/")
    .filter(Boolean)
    .map((each) => each.replaceAll(/^[^\w.]|[^\w.-]/g, "_"))
    .join("/");
}

/** The settings that change, in words: `baseUrl from https://a.example to https://b.example`. */
function changesOf(before: ProviderInputs, after: ProviderInputs, prefix = ""): string[] {
  const keys = Object.keys({ ...before, ...after }).filter((key) => key !== "arguments");
  return keys.sort().flatMap((key) => {
    if (isDeepStrictEqual(before[key], after[key])) return [];
    const [from, to] = [shown(key, before[key]), shown(key, after[key])];
    return `${prefix}${key}${from === undefined || to === undefined ? "" : ` from ${from} to ${to}`}`;
  });
}

/** A value for a message; undefined for one that may be a secret. */
function shown(key: string, value: unknown): string | undefined {
  const texts = { secret: "a secret", computed: "a value known only after the update", value: plainIn(key, value) };
  return value === undefined ? "none" : texts[seen(value).is];
}

function plainIn(key: string, value: unknown): string | undefined {
  if (typeof value !== "string" || /token|__internal/i.test(key)) return undefined;
  const address = URL.parse(value);
  if (address?.host) return `${address.origin}${address.pathname}`;
  const isPlain =
    /^(true|false|auto|\d{1,3}|v\d\w{0,9})$/.test(value) || value.split(",").every((part) => hasPlatformForm(part.trim()));
  return isPlain ? value : undefined;
}

/** True for two values that are certainly equal. */
function isSame(one: unknown, other: unknown): boolean {
  return isShown(one) && isShown(other) && plain(one) === plain(other);
}

/** A value in the form for comparison. An address loses its last slash, and an empty value is undefined. */
function plain(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  const address = URL.parse(text);
  return (address?.host ? `${address.origin}${address.pathname}` : text).replace(/\/+$/, "") || undefined;
}

/** The URN in a reference to a provider, which its id follows. */
function urnIn(reference = ""): string {
  return reference.slice(0, Math.max(0, reference.lastIndexOf("::")));
}

/** The type at the end of the types in a URN. */
export function typeIn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

function nameIn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}
