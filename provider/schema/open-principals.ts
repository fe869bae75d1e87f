import { wordsIn } from "./open-patterns";
import { isValues, type Values } from "./values";
import type { Problem } from "./declaration";
import { unknownValue } from "./inputs";
import { finder, unanalysed } from "./pattern";

/** A principal of AWS as it calls the platform. */
interface Caller {
  readonly arn: string;
  readonly userId: string;
}

/** Pairs of names of unrelated principals: of several lengths, and as the AWS portal names the roles that people sign in with. */
const names = [
  ["jbxq", "wzkv"],
  ["JBXQ", "WZKV"],
  ["13579", "24680"],
  ["jbxq-jbxq-jbxq-jbxq", "wzkv-wzkv-wzkv-wzkv"],
  ["AWSReservedSSO_jbxq_0135791bdf013579", "AWSReservedSSO_wzkv_8642ace8642ace86"],
] as const;

/** What follows the prefix of their unique ids. */
const ids = ["0135791BDF0135791", "8642ACE8642ACE864"] as const;

/** The callers of every type, one for each of two principals. @param session whoever assumes a role chooses its name */
function callersIn(account: string, session: string): (readonly [Caller, Caller])[] {
  return ["aws", "aws-us-gov", "aws-cn"].flatMap((partition) =>
    names.flatMap((pair) => {
      const both = (of: (name: string, id: string) => Caller) => [of(pair[0], ids[0]), of(pair[1], ids[1])] as const;
      const at = (service: string) => `arn:${partition}:${service}::${account}`;
      return [
        both((name, id) => ({ arn: `${at("sts")}:assumed-role/${name}/${session}`, userId: `AROA${id}:${session}` })),
        both((name, id) => ({ arn: `${at("iam")}:role/${name}`, userId: `AROA${id}` })),
        both((name, id) => ({ arn: `${at("iam")}:user/${name}`, userId: `AIDA${id}` })),
        both((name) => ({ arn: `${at("sts")}:federated-user/${name}`, userId: `${account}:${name}` })),
      ];
    }),
  );
}

/**
 * Problems of an AWS form that any principal of its account matches, unless the program allows that with `allowAnyPrincipal`. One
 * exact or narrow member is enough, because a caller must match both the ARN and the unique id.
 */
export function openPrincipals(inputs: Values): Problem[] {
  const aws = inputs["awsIdentity"];
  const consent = inputs["allowAnyPrincipal"];
  if (!isValues(aws) || consent === true || consent === unknownValue) return [];
  const { awsAccount, arnPattern, userIdPattern } = aws;
  if (typeof arnPattern !== "string" || typeof userIdPattern !== "string") return [];
  if (arnPattern === unknownValue || userIdPattern === unknownValue) return [];
  const account = typeof awsAccount === "string" ? awsAccount : "123456789012";
  const [isArn, isUserId] = [finder(arnPattern), finder(userIdPattern)];
  const patterns = Object.entries({ arnPattern, userIdPattern }).map(([member, text]) => ({
    member,
    text,
    why: unanalysed(text),
  }));
  const words = patterns.flatMap(({ text, why }) => (why === undefined ? wordsIn(text) : []));
  const sessions = new Set(["session", ...words]);
  const pair = [...sessions]
    .flatMap((session) => callersIn(account, session))
    .find((callers) => callers.every(({ arn, userId }) => isArn(arn) && isUserId(userId)));
  if (pair === undefined) return [];
  const [first, second] = pair.map(({ arn }) => JSON.stringify(arn));
  const asIf = patterns.flatMap(({ member, why }) =>
    why === undefined ? [] : [` awsIdentity.${member} counts as matching all: it is not analysed, because ${why}.`],
  );
  const reason =
    `awsIdentity.arnPattern and awsIdentity.userIdPattern let anybody in the account in: they match ${first} as well as ${second}.` +
    `${asIf.join("")} ` +
    "Narrow them to one role or user, or set allowAnyPrincipal: true if everyone in the account may log in";
  return [{ property: "awsIdentity.arnPattern", reason }];
}
