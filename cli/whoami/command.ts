import type { PlatformClient } from "../../provider/client/client";
import { textOf } from "../../provider/client/errors";
import { type Configuration, connect } from "../../provider/credentials";
import { command, jsonOption } from "../shell/command";
import { printDocument } from "../documents/document";
import type { WhoamiDocument } from "../documents/whoami";
import { exitCode } from "../shell/exit-codes";
import { settingsFor, settingsText, stackOption } from "../shell/settings";
import { acceptedAs } from "./identity";
import { sourcesOf } from "./sources";
import { drawWhoami } from "./text";

/** Shows the identity as which this package calls the platform, and why. */
export const whoami = command("whoami", {
  summary: "which identity the platform sees, and which credentials are used",
  description:
    "Prints the identity of the credentials, when their API token expires, and which source of credentials is used and why not\n" +
    "the others. Never prints a token. `pulumi-platform doctor` also finds problems, and says what to do.\n" +
    settingsText,
  examples: [
    ["whoami", "by the variables of this shell"],
    ["whoami --stack prod", "as a run of the stack prod"],
    ["whoami --json", "for programs"],
  ],
  exitCodes: { [exitCode.failed]: "there is no token, or the platform does not accept it" },
})
  .addOption(stackOption())
  .addOption(jsonOption("whoami"))
  .action(async ({ stack, json }: { stack?: string; json?: true }) => {
    const { configured, configuration } = await settingsFor(stack);
    const sources = sourcesOf(configured, process.env, configuration.credentials.origin);
    const client = connect(configuration);
    const result = { sources, ...(await called(configuration, client)) };
    if (json) printDocument<WhoamiDocument>(result);
    else process.stdout.write(drawWhoami(result, client.now()));
    if (result.problems.length > 0) process.exitCode = exitCode.failed;
  });

type Called = Omit<WhoamiDocument, "version" | "sources">;

/** The facts from the platform and the token. */
async function called(configuration: Configuration, client: PlatformClient): Promise<Called> {
  const { baseUrl, authUrl, apiVersion, organization, readOnly } = configuration;
  const problems: string[] = [];
  const orProblem = async <Value>(value: Promise<Value>): Promise<Value | undefined> =>
    value.catch((error: unknown) => {
      problems.push(textOf(error));
      return undefined;
    });
  const facts = await orProblem(client.tokenFacts());
  const caller = facts && (await client.caller());
  const path = facts && (await orProblem(acceptedAs(client, caller?.uid)));
  const served = await client.servedVersions().catch(() => undefined);
  return {
    baseUrl,
    authUrl,
    apiVersion: { configured: apiVersion, ...(served && { served }) },
    ...(organization !== undefined && { organization }),
    readOnly,
    ...(caller && {
      identity: {
        uid: caller.uid,
        ...(path !== undefined && { path }),
        statedBy: caller.uid === facts.subject ? ("token" as const) : ("setting" as const),
      },
    }),
    ...(caller?.login && { login: caller.login }),
    ...(facts && {
      token: {
        ...(facts.expiresAt !== undefined && { expiresAt: new Date(facts.expiresAt).toISOString() }),
        audience: [...facts.audience],
      },
    }),
    problems,
  };
}
