package engine

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

// A secret is in the first answer only. The answer to a repetition says so: the first one was lost on the way, or came to a process that
// was killed, and nobody has the secret.
const delivered = "secret_already_delivered"

// Answers of one call that may be lost, one after the other.
const mostLost = 3

// Issue sends an issue or a rotation of a user's credential. Where the answer was lost, what was issued is made void and issued anew.
// With keep the call is noted as unfinished until a state holds the issuance.
func Issue(ctx context.Context, env *Env, path string, body api.Object, keep bool) (*api.Answer, error) {
	return once(ctx, env, path, body, keep, "issuance", func(lost string) (*api.Answer, error) {
		// A rotation retires what went before it. The JWT of somebody's own key is worth nothing without the seed, and a
		// revocation would reach the next one of the same key.
		if body["public_key"] == nil && !strings.HasSuffix(path, "/rotate") {
			if err := revokeLost(ctx, env, lost); err != nil {
				return nil, err
			}
		}
		if body["issue_key"] != nil {
			return nil, fmt.Errorf("issuance %s was made, but the answer with its secret was lost, and there is one for each issue_key only. It is void; apply with another issue_key", lost)
		}
		return env.Client.Do(ctx, api.Call{Method: http.MethodPost, Path: path, Body: body, Key: RandomKey()})
	})
}

func revokeLost(ctx context.Context, env *Env, issuance string) error {
	_, err := env.Client.Do(ctx, api.Call{Method: http.MethodPost, Path: "/v1/issuances/" + url.PathEscape(issuance) + "/actions/revoke",
		Body: api.Object{"reason": "its answer was lost"}, Key: RandomKey()})
	if api.IsGone(err) {
		return nil
	}
	return err
}

// MakeToken makes or rotates an API token. Where the answer was lost, the token gets another secret.
func MakeToken(ctx context.Context, env *Env, path string, body api.Object, keep bool) (*api.Answer, error) {
	return once(ctx, env, path, body, keep, "token", func(lost string) (*api.Answer, error) {
		again := api.Call{Method: http.MethodPost, Path: path, Body: body, Key: RandomKey()}
		if strings.HasSuffix(path, "/tokens") {
			again.Path, again.Body = "/v1/tokens/"+url.PathEscape(lost)+"/actions/rotate", api.Object{}
			if body["expires_in"] != nil {
				again.Body["expires_in"] = body["expires_in"]
			}
		}
		return env.Client.Do(ctx, again)
	})
}

// once sends a POST whose answer holds a secret and an object; renew gets another secret where the object's was lost.
func once(ctx context.Context, env *Env, path string, body api.Object, keep bool, object string, renew func(lost string) (*api.Answer, error)) (*api.Answer, error) {
	id := func(answer *api.Answer) string {
		made, _ := answer.Body[object].(api.Object)
		return api.Text(made, "id")
	}
	hash, key := "", RandomKey()
	if keep {
		hash, key = env.creates().begin(path, body)
	}
	answer, err := env.Client.Do(ctx, api.Call{Method: http.MethodPost, Path: path, Body: body, Key: key})
	for tries := 0; err == nil && answer.Replayed && api.Text(answer.Body, "code") == delivered; tries++ {
		if tries == mostLost {
			return nil, fmt.Errorf("POST %s: the answer with the secret was lost %d times. Look at what lies between here and the control plane", path, tries+1)
		}
		answer, err = renew(id(answer))
	}
	switch {
	case !keep:
	case err == nil:
		env.creates().made(hash, key, id(answer))
	case isFinal(err):
		env.creates().failed(hash)
	}
	return answer, err
}

// Noted keeps a create that has no Idempotency-Key among the unfinished ones. It tells whether a process before this one began it, and
// gives what notes its end.
func (k *Kind) Noted(env *Env, plan kind.Values) (begun bool, done func(error)) {
	path, err := Expand(k.Item, plan)
	if err != nil {
		return false, func(error) {}
	}
	creates := env.creates()
	begun = creates.has(path, nil)
	hash, key := creates.begin(path, nil)
	return begun, func(err error) {
		if err == nil {
			creates.made(hash, key, k.compositeID(plan))
		} else if isFinal(err) {
			creates.failed(hash)
		}
	}
}
