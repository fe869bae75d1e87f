import type { AccessChange } from "../../access/compare";
import { isPersonUid } from "../../access/holders";
import type { Unreadable } from "../../access/snapshot";
import { kindOfType } from "../../inventory/kinds";
import { nameOf } from "../../preview/plan";
import { asSentence, list, printable } from "../../provider/client/printable";
import { version } from "../../provider/client/version";
import { dependentsOf } from "../../rehearse/dependents";
import type { StackSource, StateResource } from "../../rehearse/private-stack";
import type { Outcome } from "../../rehearse/rehearsal";
import { ofThisRelease, otherThan, pluginType, typeIn } from "../review/providers";
import { unknownLogins } from "../review/unseen";

/** The parts of an update that a rehearsal could not show, with the reason and the way out. */
export function undecidedIn(outcome: Outcome, source: StackSource): Unreadable[] {
  return [
    ...ofHost(outcome.told),
    ...refusedCalls(outcome),
    ...invented(outcome),
    ...releases(outcome),
    ...hooks([...(source.state.deployment.resources ?? []), ...outcome.resources]),
    ...references(outcome),
    ...missing(outcome),
  ];
}

/** The errors of the update, for people. Without any in the events, the last lines of the engine's output. */
export function errorTexts({ code, errors, output }: Pick<Outcome, "code" | "errors" | "output">): string[] {
  if (code === 0) return [];
  if (errors.length > 0)
    return errors.map(({ message, urn }) => (urn === undefined || isStack(urn) ? message : `${nameOf(urn)}: ${message}`));
  const last = output.trim().split("\n").slice(-5).join(" ");
  return [`\`pulumi\` ended with exit code ${code}. ${asSentence(printable(last))}`];
}

/** The identities of other organisations that gain a role. Their logins, which no copy shows, may let in anybody. */
export function hiddenLogins(changes: readonly AccessChange[]): Unreadable[] {
  const gains = changes.filter(({ coveredBy, holder }) => coveredBy === undefined && !isPersonUid(holder.uid ?? ""));
  return unknownLogins(gains).map(({ what }) => ({
    what,
    reason:
      "no copied organisation shows it, so anybody may log in. Rehearse with credentials that may also list the identities there",
  }));
}

function ofHost(told: readonly object[]): Unreadable[] {
  return told.flatMap((line): Unreadable[] => {
    const { undecided, refused } = line as { undecided?: Unreadable; refused?: { readonly urn: string } };
    if (undecided !== undefined) return [undecided];
    return refused === undefined ? [] : [{ what: `what ${nameOf(refused.urn)} does`, reason: foreign }];
  });
}

const foreign =
  "its code is a text in the program, which a rehearsal does not run. Declare it with the class of this package, or keep it in a stack of its own";

function refusedCalls({ others }: Outcome): Unreadable[] {
  return [...others.refused].map((what) => ({
    what: `the ${what}`,
    reason: "it belongs to another package, which a rehearsal does not run. Keep it in a stack of its own",
  }));
}

/** Resources of the platform that depend on made-up outputs. */
function invented({ resources, others }: Outcome): Unreadable[] {
  const dependents = dependentsOf(resources, others.invented);
  const types = new Map(resources.map(({ urn, type }) => [urn, type]));
  return [...dependents].flatMap(([urn, origin]) =>
    kindOfType(types.get(urn) ?? "") === undefined
      ? []
      : [
          {
            what: `what ${nameOf(urn)} becomes`,
            reason: `it depends on ${nameOf(origin)} of another package, which a rehearsal does not run. Apply that first`,
          },
        ],
  );
}

/** Providers of another release of the plugin than this one, which serves them here. */
function releases({ resources }: Outcome): Unreadable[] {
  return resources.flatMap(({ type, urn, inputs }) => {
    const others = type === pluginType ? otherThan(ofThisRelease, { ...(inputs as object | undefined) }) : [];
    if (others.length === 0) return [];
    const reason = `the program asks for another ${list(others)} of the plugin than this release (${version}) has`;
    return {
      what: `what the resources of provider ${nameOf(urn)} become`,
      reason: `${reason}. Rehearse with the release that the program uses`,
    };
  });
}

function hooks(resources: readonly StateResource[]): Unreadable[] {
  const withHooks = resources.filter(({ resourceHooks }) => Object.values(resourceHooks ?? {}).flat().length > 0);
  return [...new Set(withHooks.map(({ urn }) => urn))].map((urn) => ({
    what: `what the hooks of ${nameOf(urn)} do`,
    reason: "they are functions of the program, which a rehearsal does not judge. Remove the option `hooks`",
  }));
}

/** A stack on another backend, or to which the program newly refers. */
function references({ errors }: Outcome): Unreadable[] {
  const failed = errors.filter(({ urn }) => urn !== undefined && typeIn(urn) === "pulumi:pulumi:StackReference");
  return failed.map(({ urn = "" }) => ({
    what: `the outputs of the stack of ${nameOf(urn)}`,
    reason: "the state does not name that stack yet, so it was not copied. Apply the new reference alone first",
  }));
}

const byOrder = "that depends on the order in which the engine works. Make the change in two updates";

/** Texts of errors that the real update may not end with, with the name of the part, and the way out. */
const openErrors: readonly { readonly text: RegExp; readonly what: string; readonly reason: string }[] = [
  {
    text: /no \w+ plugin '?([\w-]+)'? found/,
    what: "the resources of",
    reason:
      "neither the state, `node_modules` nor the plugins on this machine name its package. Install the SDK, or `pulumi install`",
  },
  {
    text: /still belongs to (.+?) of this program, which gives it up in the same update/,
    what: "whether another resource takes the place of",
    reason: byOrder,
  },
  {
    text: /: (.+) existed when this was sent/,
    what: "whether another resource still has the name or place of",
    reason: byOrder,
  },
  {
    text: /identity "([^"]+)" does not exist/,
    what: "the identity",
    reason:
      "a copy has the identities of the copied organisations, and the people whom their role bindings name. " +
      "Name a person by `identityRef: { issuer, subject }`, which a copy asks the platform for",
  },
  {
    text: /(\S+) has no copy in this rehearsal/,
    what: "the requests to",
    reason: "a rehearsal copies only the platform of the stack. Keep resources of another one in a stack of its own",
  },
  {
    text: /\b(ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ECONNREFUSED|network is unreachable|no such host)\b/,
    what: "a part of the program, which failed with",
    reason: "a rehearsal has no network. If the program needs one that may be reached, pass --no-sandbox",
  },
];

/** Errors of the run that the real update may not have, because it reaches more than a rehearsal, or works in another order. */
function missing({ errors, output, code }: Outcome): Unreadable[] {
  if (code === 0) return [];
  const texts = [...errors.map(({ message }) => message), ...(errors.length === 0 ? [output] : [])];
  const found = texts.flatMap((each) =>
    openErrors.flatMap(({ text, what, reason }) => {
      const name = text.exec(each)?.[1];
      return name === undefined ? [] : [{ what: `${what} ${printable(name)}`, reason }];
    }),
  );
  return [...new Map(found.map((each) => [each.what, each])).values()];
}

function isStack(urn: string): boolean {
  return typeIn(urn) === "pulumi:pulumi:Stack";
}
