import { PlatformError } from "../../client/errors";
import { anyUser, registryCredentials } from "../../kinds/registry-credentials";
import { pathArgument, updateArgument } from "../../schema/inputs";
import { declaredInputs, hideSecrets, type Inputs } from "../../schema/kind";
import { wrongInputs } from "../object/check";
import type { Life } from "../object/life";
import type { Run } from "../run/run";

/** An `up` renews a token that expires within this time, in milliseconds, so its next user can still use it. */
const renewalMs = 30 * 60_000;

/**
 * The life of pull tokens of a registry. The state keeps the token, encrypted, until it is about to expire. The platform has no object
 * for a token, so a read returns the state, and a delete is a no-op.
 */
// See docs/decisions/0032-guards-of-groups.md.
export const registryCredentialsLife: Life = {
  check(_olds, { [pathArgument]: _path, [updateArgument]: _isUpdate, ...news }, run) {
    const inputs = structuredClone(news);
    const failures = wrongInputs(registryCredentials, {}, inputs);
    if (failures.length > 0) return Promise.resolve({ inputs, failures });
    run.ledger.declarations.check(keyOf(inputs), { old: null });
    return Promise.resolve({ inputs: declaredInputs(registryCredentials, inputs), failures });
  },

  diff(_id, olds, news, run) {
    hideSecrets(registryCredentials, olds);
    const replaces = registryCredentials.immutable.filter((name) => (olds[name] ?? undefined) !== (news[name] ?? undefined));
    const isRenamed = (news["username"] ?? anyUser) !== olds["username"];
    // A refresh, which has no check before it, would report an expiry as drift.
    const isDue = run.ledger.declarations.has(keyOf(news)) && !(expiryOf(olds) - run.client.now() > renewalMs);
    return Promise.resolve({ changes: replaces.length > 0 || isRenamed || isDue, replaces, deleteBeforeReplace: false });
  },

  async create(inputs, run) {
    const { registry, identity } = inputs;
    const id = typeof identity === "string" ? `${String(registry)}/${identity}` : String(registry);
    return { id, outs: await fetched(inputs, run) };
  },

  async read(id, state) {
    hideSecrets(registryCredentials, state);
    if (Object.keys(state).length === 0) throw unreadable();
    const { username, ...others } = state;
    return Promise.resolve({
      id,
      props: state,
      inputs: declaredInputs(registryCredentials, username === anyUser ? others : state),
    });
  },

  import: () => Promise.reject(unreadable()),

  update(_id, olds, news, run) {
    hideSecrets(registryCredentials, olds);
    return fetched(news, run);
  },

  delete(id, state, run) {
    hideSecrets(registryCredentials, state);
    if (expiryOf(state) > run.client.now())
      run.notify(
        `warning: registry credentials ${id}: nothing was revoked. The token works until ${String(state["expiry"])}. To end its access earlier, ` +
          "remove the role bindings of the identity.",
      );
    return Promise.resolve();
  },
};

function unreadable(): PlatformError {
  return new PlatformError("INVALID_INPUT", "registry credentials cannot be read: declare them instead.");
}

async function fetched(inputs: Inputs, { client }: Run): Promise<Inputs> {
  const declared = declaredInputs(registryCredentials, inputs);
  const { registry, identity, username = anyUser } = declared;
  const { token, expiry } = await client.registryToken({
    registry: String(registry),
    ...(typeof identity === "string" && { identity }),
  });
  return { ...declared, username, password: token, expiry };
}

/** The key under which a program declares one pair of credentials. */
function keyOf(inputs: Inputs): string {
  return JSON.stringify(["registryCredentials", declaredInputs(registryCredentials, inputs)]);
}

function expiryOf({ expiry }: Inputs): number {
  return Date.parse(String(expiry));
}
