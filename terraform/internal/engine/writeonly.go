package engine

import (
	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// withWriteOnly gives the plan with the write-only values of the configuration, which no plan holds.
func withWriteOnly(attrs []kind.Attr, plan, config kind.Values) kind.Values {
	out := kind.Values{}
	for name, value := range plan {
		out[name] = value
	}
	for _, a := range attrs {
		if a.WriteOnly {
			out[a.Name] = config[a.Name]
		}
	}
	return out
}

// addWriteOnly sends a write-only value again when its version has moved.
func addWriteOnly(attrs []kind.Attr, patch api.Object, state, plan, config kind.Values) error {
	for _, a := range attrs {
		counter := a.Name + "_version"
		if !a.WriteOnly || state[counter] == plan[counter] {
			continue
		}
		body, err := kind.Body([]kind.Attr{a}, config)
		if err != nil {
			return err
		}
		for field, value := range body {
			patch[field] = value
		}
	}
	return nil
}
