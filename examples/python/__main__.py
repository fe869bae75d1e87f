"""A team: a group, a pipeline that signs in without a secret, and its role."""

import os

import pulumi
import pulumi_platform as platform

root = pulumi.Config("platform").get("organization") or os.environ["PLATFORM_ORGANIZATION"]

team = platform.iam.Group("payments", parent_uid=root, description="Takes the money")
pipeline = platform.iam.Identity(
    "payments-pipeline",
    parent_uid=team.uid,
    # A repository that GitHub has created since 15 July 2026 has ids in its subject: "acme@123456/shop@456789".
    claim_match=platform.iam.github_actions(repository="acme/payments", branch="main").claim_match,
)
editor = platform.iam.get_role_output(name="editor")
platform.iam.RoleBinding(
    "payments-pipeline-editor",
    parent_uid=team.uid,
    identity_uid=pipeline.uid,
    role_uid=editor.uid,
)

pulumi.export("team", team.uid)
pulumi.export("grants", platform.iam.get_effective_access_output(group=team.uid).grants.apply(len))
