import { z } from "zod";
import { PlatformError, withCode } from "../client/errors";
import { suggest } from "../client/nearest-name";
import { literal } from "../client/printable";
import { rememberToken } from "../client/redact";
import { defaultTiming, type Timing } from "../client/retry";
import { fetchRegistryToken } from "../credentials";
import type { Problem } from "../kinds/declaration";
import { registryHost, someText, uid, unknownValue } from "../kinds/inputs";
import type { Inputs } from "../kinds/kind";
import { type DynamicProvider, settingsOf } from "./dynamic";
import { endWithEngine } from "./engine-watch";
import { configurationOf, type Settings } from "./explicit-provider";
import { failureFor } from "./failure";
import { hostProcess } from "./process";
import { closeRuns } from "./session";
import { toStruct } from "./struct";

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
 * Serves pull tokens of a registry to the dynamic provider host. The state keeps the token, encrypted, until it is about to expire.
 * The platform has no object for it: a read returns the state, and a delete ends nothing (docs/decisions/0032-guards-of-groups.md).
 */
export function registryCredentialsProvider(options: RegistryCredentialsOptions = {}): DynamicProvider {
  const { now = Date.now, timing = defaultTiming, notify = hostProcess()?.notify ?? console.log } = options;
  let stack: Settings = {};
  /** Inputs that a program of this run declares: a diff without a check before it belongs to a refresh. */
  const declared = new Set<string>();
  const guarded = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw failureFor(error);
    }
  };
  const fetched = async ({ __provider: _, ...inputs }: Inputs): Promise<Inputs> => {
    const { registry, identity, username } = rules.parse(inputs);
    const configuration = configurationOf(stack, process.env);
    const { token, expiry } = await fetchRegistryToken(
      configuration,
      { registry, identity: identity ?? undefined },
      { now, timing },
    );
    return toStruct({ ...canonical(inputs), username: username ?? anyUser, password: token, expiry }) as Inputs;
  };
  return {
    configure(request) {
      stack = settingsOf(request);
      endWithEngine(closeRuns);
      return Promise.resolve();
    },
    check(_olds, { __provider: _, ...news }) {
      const failures = failuresOf(news).map(({ property, reason }) => ({ property, reason: withCode("INVALID_INPUT", reason) }));
      if (failures.length === 0) declared.add(inputsKey(news));
      return Promise.resolve({ inputs: failures.length === 0 ? canonical(news) : news, failures });
    },
    diff: (_id, olds, news) =>
      guarded(() => {
        hide(olds);
        const replaces = immutable.filter((name) => (olds[name] ?? undefined) !== (news[name] ?? undefined));
        const isRenamed = (news["username"] ?? anyUser) !== olds["username"];
        // A refresh would report an expiry as drift.
        const isDue = declared.has(inputsKey(news)) && !(Date.parse(String(olds["expiry"])) - now() > renewalMs);
        return { changes: replaces.length > 0 || isRenamed || isDue, replaces, deleteBeforeReplace: false };
      }),
    create: (inputs) =>
      guarded(async () => {
        const outs = await fetched(inputs);
        return { id: [inputs["registry"], ...(inputs["identity"] ? [inputs["identity"]] : [])].map(String).join("/"), outs };
      }),
    read: (id, { __provider: _, ...props }) =>
      guarded(() => {
        hide(props);
        if (Object.keys(props).length === 0)
          throw new PlatformError("INVALID_INPUT", "registry credentials cannot be read: declare them instead.");
        const { username, ...others } = props;
        return { id, props, inputs: canonical(username === anyUser ? others : props) };
      }),
    update: (_id, olds, news) => {
      hide(olds);
      return guarded(async () => ({ outs: await fetched(news) }));
    },
    delete: (id, props) =>
      guarded(() => {
        hide(props);
        if (!(Date.parse(String(props["expiry"])) > now())) return;
        notify(
          `warning: registry credentials ${id}: nothing was revoked. The token works until ${String(props["expiry"])}. To end its access earlier, ` +
            "remove the role bindings of the identity.",
        );
      }),
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

function inputsKey({ __provider: _, ...inputs }: Inputs): string {
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
