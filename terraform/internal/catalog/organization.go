package catalog

import (
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// Organization is read only: it is made by a sign-up.
var Organization = &engine.Kind{
	Name:         "organization",
	Collection:   "/v1/orgs",
	Item:         "/v1/orgs/{id}",
	NameField:    "name",
	ObjectSchema: "Organization",
	Attrs: append([]kind.Attr{
		id("`org_…`"),
		{Name: "name", Type: kind.String, Mode: kind.Required, Doc: "Name of the organisation"},
		{Name: "state", Type: kind.String, Mode: kind.Computed, Doc: "`active` or `suspended`"},
		{Name: "role", Type: kind.String, Mode: kind.Computed, Doc: "The caller's strongest role in the whole organisation; null when there are roles in projects only"},
	}, stamps()...),
}
