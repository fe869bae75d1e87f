# The same organisation as programs/organization.ts, by the generic REST provider.

locals {
  groups   = floor((var.resources + 2) / 3)
  robots   = floor((var.resources + 1) / 3)
  bindings = floor(var.resources / 3)
  teams    = ceil(local.groups / 10)
}

resource "restapi_object" "team" {
  count       = local.teams
  path        = "/iam/v2beta1/groups"
  create_path = "/iam/v2beta1/groups/${var.root}"
  data        = jsonencode({ name = "team-${count.index * 10}", description = "Owns what number ${count.index * 10} runs" })
}

resource "restapi_object" "project" {
  count       = local.groups - local.teams
  path        = "/iam/v2beta1/groups"
  create_path = "/iam/v2beta1/groups/${restapi_object.team[floor(count.index / 9)].id}"
  data = jsonencode({
    name        = "project-${count.index + floor(count.index / 9) + 1}"
    description = "Owns what number ${count.index + floor(count.index / 9) + 1} runs"
  })
}

resource "restapi_object" "robot" {
  count       = local.robots
  path        = "/iam/v2beta1/identities"
  create_path = "/iam/v2beta1/identities/${restapi_object.team[floor(count.index / 10)].id}"
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
  count       = local.bindings
  path        = "/iam/v2beta1/roleBindings"
  create_path = "/iam/v2beta1/roleBindings/${restapi_object.team[floor(count.index / 10)].id}"
  data        = jsonencode({ identityUid = restapi_object.robot[count.index].id, roleUid = var.viewer })
}
