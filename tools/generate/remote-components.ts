import * as pulumi from "@pulumi/pulumi";

/**
 * The classes of components as the SDKs of other languages have them, which pass all arguments to the plugin.
 *
 * @param valueOf the value that stands for an expression in YAML
 */
export function remoteComponents(valueOf: (expression: string) => string): object {
  const uid = (expression: string) => ({ uid: pulumi.output(valueOf(`\${${expression}}`)) });
  const byPath = (expression: string) =>
    new Proxy({}, { get: (_, path) => (typeof path === "string" ? uid(`${expression}[${JSON.stringify(path)}]`) : undefined) });
  class Organization extends pulumi.ComponentResource {
    readonly groups: object;
    readonly identities: object;

    constructor(name: string, args: pulumi.Inputs, opts?: pulumi.ComponentResourceOptions) {
      super("platform:iam:Organization", name, args, opts, true);
      this.groups = byPath(`${name}.groups`);
      this.identities = byPath(`${name}.identities`);
    }
  }
  class Team extends pulumi.ComponentResource {
    readonly uid: pulumi.Output<string>;
    readonly group: object;
    readonly pipeline: object;

    constructor(name: string, args: pulumi.Inputs, opts?: pulumi.ComponentResourceOptions) {
      super("platform:iam:Team", name, args, opts, true);
      this.group = uid(`${name}.group`);
      this.pipeline = uid(`${name}.pipeline`);
      ({ uid: this.uid } = uid(`${name}.group`));
    }
  }
  return { Organization, Team };
}
