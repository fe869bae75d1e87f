# The same organisation as programs/component.ts, by the generic REST provider.

locals {
  teams  = var.resources / 100
  groups = concat(restapi_object.team[*].id, restapi_object.project[*].id)
}

resource "restapi_object" "team" {
  count       = local.teams
  path        = "/iam/v2beta1/groups"
  create_path = "/iam/v2beta1/groups/${var.root}"
  data        = jsonencode({ name = "team-${count.index}", description = "Owns what number ${count.index} runs" })
}

resource "restapi_object" "project" {
  count       = 9 * local.teams
  path        = "/iam/v2beta1/groups"
  create_path = "/iam/v2beta1/groups/${restapi_object.team[floor(count.index / 9)].id}"
  data        = jsonencode({ name = "project-${count.index}", description = "Owns what project ${count.index} runs" })
}

resource "restapi_object" "robot" {
  count       = 30 * local.teams
  path        = "/iam/v2beta1/identities"
  create_path = "/iam/v2beta1/identities/${local.groups[floor(count.index / 3)]}"
  data = jsonencode({
    name        = "robot-${count.index}"
    description = "Deploys number ${count.index}"
    claimMatch = {
      issuer  = "https://token.actions.githubusercontent.com"
      subject = "repo:acme/service-${count.index}:ref:refs/heads/main"
    }
  })
}

resource "restapi_object" "binding" {
  count       = 60 * local.teams
  path        = "/iam/v2beta1/roleBindings"
  create_path = "/iam/v2beta1/roleBindings/${local.groups[floor(count.index / 6)]}"
  data = jsonencode({
    identityUid = restapi_object.robot[floor(count.index / 2)].id
    roleUid     = count.index % 2 == 0 ? var.viewer : var.editor
  })
}
