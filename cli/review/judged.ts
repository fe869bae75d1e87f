import type { Unreadable } from "../../access/snapshot";
import { kindOfType } from "../../inventory/kinds";
import type { Notice } from "../../preview/apply";
import { type PreviewFile, type PreviewState, type PreviewStep, statesOf } from "../../preview/file";
import { isImport, nameOf } from "../../preview/plan";
import { list, literal } from "../../provider/client/printable";
import { hasPlatformForm, isUid } from "../../provider/client/uid";
import { version } from "../../provider/client/version";
import { composites, kinds, values } from "../../provider/kinds/kinds";
import { providerText, servedType } from "../../sdk/resources/served-type";
import { Providers } from "./providers";

/** The part of a preview that a review can judge. */
export interface Judged {
  /** The preview without the resources that the review cannot judge. The names in those are never looked up. */
  readonly file: PreviewFile;
  /** The other resources, with reasons. */
  readonly undecided: readonly Unreadable[];
  /** Settings and providers that change. */
  readonly notices: readonly Notice[];
}

/** The only text by which the engine may load the code of a type. */
const texts: ReadonlyMap<string, string> = new Map(
  Object.values({ ...kinds, ...composites, ...values }).map((kind) => {
    const type = servedType(kind);
    return [type.token, providerText(type)];
  }),
);

/** Operations for which an update calls no more provider code than a preview. */
const idle: ReadonlySet<string> = new Set(["same", "read", "read-replacement", "refresh", "discard", "discard-replaced"]);

/**
 * Leaves out the resources that a review cannot judge. Code of another release serves them, or they are on another platform than the
 * review reads.
 *
 * @param address of the platform to review; undefined if the review reads none
 */
// See docs/decisions/0049-what-a-review-does-not-judge.md.
export function judgedIn(file: PreviewFile, address?: string): Judged {
  const providers = new Providers(file, address);
  const otherPlatform = providers.otherPlatform();
  const left = new Set<string>();
  const undecided = new Map<string, Unreadable>();
  for (const step of file.steps) {
    const states = statesOf(step).filter(isServed);
    const isUnread =
      otherPlatform !== undefined && states.some(({ type, provider }) => isOurs(type) && providers.isOfStack(provider));
    const reason = codeProblem(step, states, providers) ?? placeProblem(step, states, providers) ?? nameProblem(step, file);
    if (reason === undefined && !isUnread) continue;
    left.add(step.urn);
    if (reason) undecided.set(step.urn, { what: `what ${nameOf(step.urn)} does`, reason });
    else if (isUnread) undecided.set("", { what: "the platform of the program", reason: otherPlatform });
  }
  return {
    file: { ...file, steps: file.steps.filter(({ urn }) => !left.has(urn)) },
    undecided: [...undecided.values()],
    notices: providers.notices(),
  };
}

/** Why an imported object is unknown; undefined if the import has its uid. The preview does not show the uid that the engine found. */
function nameProblem(step: PreviewStep, { steps }: PreviewFile): string | undefined {
  const { type, importID } = step.newState;
  if (!isOurs(type) || !isImport(step) || (isUid(importID) && (hasPlatformForm(importID) || !steps.some(hasPlatformUid))))
    return undefined;
  return `it is imported by a name, ${literal(importID)}, which a review does not look up. Write the uid as \`import\`, or import it in an update of its own`;
}

/** True for a step with a uid of the platform's form: then all uids have that form. */
function hasPlatformUid(step: PreviewStep): boolean {
  const texts = statesOf(step).flatMap(({ id, inputs }) => [id, ...Object.values(inputs)]);
  return texts.some((text) => typeof text === "string" && hasPlatformForm(text));
}

/** False for resources that no provider serves: components, the stack, and providers themselves. */
function isServed({ type, custom }: PreviewState): boolean {
  return custom && !type.startsWith("pulumi:");
}

/** True for a type of this package, also one that this release does not know. */
function isOurs(type: string): boolean {
  return kindOfType(type) !== undefined;
}

/** Why code of another release may serve a resource; undefined if it cannot. */
function codeProblem(step: PreviewStep, states: readonly PreviewState[], providers: Providers): string | undefined {
  const ours = states.filter(({ type }) => isOurs(type));
  return textProblem(step, states) ?? providerProblem(step, ours, providers) ?? hookProblem(step, ours);
}

function textProblem({ op }: PreviewStep, states: readonly PreviewState[]): string | undefined {
  // Unchanged code that is not called does not affect this update.
  const stays = idle.has(op) && states.length === 2 && new Set(states.flatMap(textsIn)).size === 1;
  const other = states.find((state) => isHosted(state) && !hasItsText(state) && !(stays && !texts.has(state.type)));
  if (other === undefined) return undefined;
  const kind = kindOfType(other.type) ?? other.type;
  return `its code is a text in the program, but not the text of ${kind} in this release (${version}). ${ways}`;
}

function providerProblem({ op }: PreviewStep, ours: readonly PreviewState[], providers: Providers): string | undefined {
  // An update calls the new provider, and a delete the old one.
  const serving = endings.has(op) ? ours : ours.slice(-1);
  const [wrong] = serving.flatMap(
    ({ type, provider }) => providers.wrongCode(provider, `pulumi:providers:${type.split(":")[0]}`) ?? [],
  );
  return wrong && `${wrong}, so it may run other code than this release (${version}). ${ways}`;
}

function hookProblem({ op }: PreviewStep, ours: readonly PreviewState[]): string | undefined {
  const hooks = ours.flatMap(({ resourceHooks }) => Object.values(resourceHooks).flat());
  if (hooks.length === 0 || idle.has(op)) return undefined;
  return "it runs hooks of the program. Remove the option `hooks`, or apply it in an update of its own";
}

const endings: ReadonlySet<string> = new Set(["delete", "replace", "create-replacement", "delete-replaced"]);

const ways =
  "Declare it with the class of this package, review with the release that the program uses, or apply it in an update of its own";

/** True for a resource whose code is a text in its inputs. */
function isHosted({ type, inputs, outputs }: PreviewState): boolean {
  return (
    type.startsWith("pulumi-nodejs:") || (!isOurs(type) && [inputs, outputs].some((each) => each["__provider"] !== undefined))
  );
}

function hasItsText(state: PreviewState): boolean {
  return texts.has(state.type) && textsIn(state).every((text) => text === texts.get(state.type));
}

/** The texts of a state: inputs have one, and outputs may have another. */
function textsIn({ inputs, outputs }: PreviewState): unknown[] {
  return [inputs["__provider"], ...(outputs["__provider"] === undefined ? [] : [outputs["__provider"]])];
}

/**
 * Why a resource may be on another platform than the review reads. The reason is empty if it is, but the update does not touch it.
 */
function placeProblem({ op }: PreviewStep, states: readonly PreviewState[], providers: Providers): string | undefined {
  const foreign = states.flatMap(({ type, provider }) => (isOurs(type) ? (providers.foreign(provider) ?? []) : []));
  const [first] = foreign;
  if (first === undefined) return undefined;
  const stays =
    idle.has(op) && foreign.length === states.length && foreign.every(({ name, isMoved }) => name === first.name && !isMoved);
  if (stays) return "";
  const { name, settings } = first;
  return (
    `its provider ${name} has another ${list(settings)} than the stack, whose platform the review reads. ` +
    "Declare it in a stack of its own, or apply it in an update of its own"
  );
}
