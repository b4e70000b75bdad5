package engine

import (
	"maps"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// addLabels puts the provider's default labels under the metadata of a body; its own values win.
func (k *Kind) addLabels(env *Env, body api.Object) {
	if len(env.Labels) == 0 || !k.has("metadata") {
		return
	}
	merged := map[string]any{}
	for name, value := range env.Labels {
		merged[name] = value
	}
	own, _ := body["metadata"].(map[string]any)
	for name, value := range own {
		if _, labelled := env.Labels[name]; value != nil || !labelled {
			merged[name] = value
		}
	}
	body["metadata"] = merged
}

// withoutLabels takes the default labels out of what is read, unless the configuration names them itself.
func (k *Kind) withoutLabels(env *Env, object api.Object, prior kind.Values) api.Object {
	given, ok := object["metadata"].(map[string]any)
	if !ok || len(env.Labels) == 0 || !k.has("metadata") {
		return object
	}
	named, _ := prior["metadata"].(kind.Values)
	left := map[string]any{}
	for name, value := range given {
		label, labelled := env.Labels[name]
		if _, own := named[name]; own || !labelled || value != label {
			left[name] = value
		}
	}
	out := maps.Clone(object)
	out["metadata"] = left
	return out
}
