/** The repository of a pipeline that may log in, with the ids of the owner and of itself. */
const repository = "acme@123456/shop@456789";

/** The first program in TypeScript: a group, an identity that a pipeline logs in with, and its role. */
export const typescriptProgram = `import * as pulumi from "@pulumi/pulumi";
import { githubActions, Group, Identity, RoleBinding } from "pulumi-platform";

const root = new pulumi.Config("platform").require("organization");

const shop = new Group("shop", { parentUid: root, description: "What customers see" });

const release = new Identity("release", {
  parentUid: shop.uid,
  claimMatch: githubActions({ repository: "${repository}", branch: "main" }),
});

new RoleBinding("release-editor", { parentUid: shop.uid, identityUid: release.uid, roleName: "editor" });

export const shopUid = shop.uid;
`;

/** {@link typescriptProgram} in Python. @param module the name of the library */
export function pythonProgram(module: string): string {
  return `import pulumi
import ${module} as platform

root = pulumi.Config("platform").require("organization")

shop = platform.iam.Group("shop", parent_uid=root, description="What customers see")

release = platform.iam.Identity(
    "release",
    parent_uid=shop.uid,
    claim_match=platform.iam.github_actions(
        repository="${repository}", branch="main"
    ).claim_match,
)

platform.iam.RoleBinding(
    "release-editor", parent_uid=shop.uid, identity_uid=release.uid, role_name="editor"
)

pulumi.export("shopUid", shop.uid)
`;
}

/** {@link typescriptProgram} in Go. @param module the name of the library */
export function goProgram(module: string): string {
  return `package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"${module}/iam"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		root := config.Require(ctx, "platform:organization")

		shop, err := iam.NewGroup(ctx, "shop", &iam.GroupArgs{
			ParentUid:   pulumi.String(root),
			Description: pulumi.String("What customers see"),
		})
		if err != nil {
			return err
		}

		login := iam.GithubActionsOutput(ctx, iam.GithubActionsOutputArgs{
			Repository: pulumi.String("${repository}"),
			Branch:     pulumi.String("main"),
		}, nil)
		release, err := iam.NewIdentity(ctx, "release", &iam.IdentityArgs{
			ParentUid:  shop.ID(),
			ClaimMatch: login.ClaimMatch(),
		})
		if err != nil {
			return err
		}

		_, err = iam.NewRoleBinding(ctx, "release-editor", &iam.RoleBindingArgs{
			ParentUid:   shop.ID(),
			IdentityUid: release.ID(),
			RoleName:    pulumi.String("editor"),
		})
		if err != nil {
			return err
		}

		ctx.Export("shopUid", shop.ID())
		return nil
	})
}
`;
}

/** {@link typescriptProgram} in Java. @param base the package of the library */
export function javaProgram(base: string): string {
  return `package generated_program;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import ${base}.iam.Group;
import ${base}.iam.GroupArgs;
import ${base}.iam.IamFunctions;
import ${base}.iam.Identity;
import ${base}.iam.IdentityArgs;
import ${base}.iam.RoleBinding;
import ${base}.iam.RoleBindingArgs;
import ${base}.iam.inputs.ClaimMatchArgs;
import ${base}.iam.inputs.GithubActionsArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    private static void stack(Context ctx) {
        var root = ctx.config("platform").require("organization");

        var shop = new Group("shop", GroupArgs.builder()
            .parentUid(root)
            .description("What customers see")
            .build());

        var login = IamFunctions.githubActions(GithubActionsArgs.builder()
            .repository("${repository}")
            .branch("main")
            .build());
        var release = new Identity("release", IdentityArgs.builder()
            .parentUid(shop.id())
            .claimMatch(login.applyValue(result -> ClaimMatchArgs.of(result.claimMatch())))
            .build());

        new RoleBinding("release-editor", RoleBindingArgs.builder()
            .parentUid(shop.id())
            .identityUid(release.id())
            .roleName("editor")
            .build());

        ctx.export("shopUid", shop.id());
    }
}
`;
}

/** {@link typescriptProgram} in YAML, as members of `Pulumi.yaml`. */
export const yamlResources = {
  config: { organization: { type: "string" } },
  variables: {
    login: { "fn::invoke": { function: "platform:iam:githubActions", arguments: { repository, branch: "main" } } },
  },
  resources: {
    shop: {
      type: "platform:iam:Group",
      properties: { parentUid: "${organization}", description: "What customers see" },
    },
    release: {
      type: "platform:iam:Identity",
      properties: { parentUid: "${shop.id}", claimMatch: "${login.claimMatch}" },
    },
    "release-editor": {
      type: "platform:iam:RoleBinding",
      properties: { parentUid: "${shop.id}", identityUid: "${release.id}", roleName: "editor" },
    },
  },
  outputs: { shopUid: "${shop.id}" },
};
