import { z } from "zod";
import { PlatformError } from "../client/errors";
import { suggest } from "../client/nearest-name";
import { literal } from "../client/printable";
import { rememberToken } from "../client/redact";
import { defaultTiming, type Timing } from "../client/retry";
import { fetchRegistryToken } from "../credentials";
import type { Problem } from "../schema/declaration";
import { registryHost, someText, uid, unknownValue } from "../schema/inputs";
import type { Inputs } from "../schema/kind";
import { configurationOf, type Settings } from "./explicit-provider";
import { hostProcess } from "./process";
import type { Serving } from "./serving";

/** An `up` renews a token that expires within this time, in milliseconds, so that its next user still can use it. */
const renewalMs = 30 * 60_000;

const rules = z.strictObject({ registry: registryHost, identity: uid.nullish(), username: someText.nullish() });

/** The user name if the program sets none: the token identifies the caller. */
const anyUser = "_token";

/** Inputs of which a change is another pair of credentials. */
const immutable = ["registry", "identity"];

/** What tests replace. */
export interface RegistryCredentialsOptions {
  /** The time in milliseconds since 1970. Default: `Date.now`. */
  now?: () => number;
  /** Shows a message to the user. Default: prints it, which the engine shows. */
  notify?: (message: string) => void;
  /** Deadlines and delays. Default: those of every program. */
  timing?: Timing;
}

/**
 * Serves pull tokens of a registry. The state keeps the token, encrypted, until it is about to expire. The platform has no object for
 * it: a read returns the state, and a delete ends nothing (docs/decisions/0032-guards-of-groups.md).
 */
export function serveRegistryCredentials(settings: Settings, options: RegistryCredentialsOptions = {}): Serving {
  const { now = Date.now, timing = defaultTiming, notify = hostProcess()?.notify ?? console.log } = options;
  /** Inputs that a program of this run declares: a diff without a check before it belongs to a refresh. */
  const declared = new Set<string>();
  const fetched = async (inputs: Inputs): Promise<Inputs> => {
    const { registry, identity, username } = rules.parse(inputs);
    const configuration = configurationOf(settings, process.env);
    const { token, expiry } = await fetchRegistryToken(
      configuration,
      { registry, identity: identity ?? undefined },
      { now, timing },
    );
    return { ...canonical(inputs), username: username ?? anyUser, password: token, expiry };
  };
  return {
    check(_olds, news) {
      const failures = failuresOf(news);
      if (failures.length === 0) declared.add(inputsKey(news));
      return Promise.resolve({ inputs: failures.length === 0 ? canonical(news) : news, failures });
    },
    diff(_id, olds, news) {
      hide(olds);
      const replaces = immutable.filter((name) => (olds[name] ?? undefined) !== (news[name] ?? undefined));
      const isRenamed = (news["username"] ?? anyUser) !== olds["username"];
      // A refresh would report an expiry as drift.
      const isDue = declared.has(inputsKey(news)) && !(Date.parse(String(olds["expiry"])) - now() > renewalMs);
      return Promise.resolve({ changes: replaces.length > 0 || isRenamed || isDue, replaces, deleteBeforeReplace: false });
    },
    async create(inputs) {
      const outs = await fetched(inputs);
      return { id: [inputs["registry"], ...(inputs["identity"] ? [inputs["identity"]] : [])].map(String).join("/"), outs };
    },
    async read(id, props) {
      hide(props);
      if (Object.keys(props).length === 0)
        throw new PlatformError("INVALID_INPUT", "registry credentials cannot be read: declare them instead.");
      const { username, ...others } = props;
      return Promise.resolve({ id, props, inputs: canonical(username === anyUser ? others : props) });
    },
    update(_id, olds, news) {
      hide(olds);
      return fetched(news);
    },
    delete(id, props) {
      hide(props);
      if (Date.parse(String(props["expiry"])) > now())
        notify(
          `warning: registry credentials ${id}: nothing was revoked. The token works until ${String(props["expiry"])}. To end its access earlier, ` +
            "remove the role bindings of the identity.",
        );
      return Promise.resolve();
    },
  };
}

function hide({ password }: Inputs): void {
  if (typeof password === "string") rememberToken(password);
}

/** The inputs in the form that state keeps. */
function canonical(values: Inputs): Inputs {
  return Object.fromEntries(
    Object.keys(rules.shape).flatMap((name) => ((values[name] ?? undefined) === undefined ? [] : [[name, values[name]]])),
  );
}

function inputsKey(inputs: Inputs): string {
  return JSON.stringify(canonical(inputs));
}

function failuresOf(inputs: Inputs): Problem[] {
  const issues = (rules.safeParse(inputs).error?.issues ?? []).filter(
    ({ path: [name] }) => inputs[String(name)] !== unknownValue,
  );
  return issues.flatMap((issue) => {
    const property = issue.path.join(".");
    if (issue.code !== "unrecognized_keys") return [{ property, reason: `${property} ${issue.message}` }];
    return issue.keys.map((name) => ({
      property: name,
      reason: `${literal(name)} is not an argument of registry credentials; ${suggest(name, Object.keys(rules.shape), "arguments")}`,
    }));
  });
}
