package main

// Documentation from schemas and examples; `terraform` has to be on PATH, 1.14 or newer for actions and list resources.
//go:generate go run ./internal/changesguide templates/guides/changes.md
//go:generate go tool -modfile=tools/go.mod tfplugindocs generate --provider-name penstock --rendered-provider-name Penstock
