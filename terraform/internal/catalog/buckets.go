package catalog

import (
	"context"
	"fmt"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/check"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

const copyBucket = "Add another bucket with the new setting, copy the contents, switch clients, then remove this one; or set allow_destructive_replace = true to lose them."

// KvBucket keeps values by key.
var KvBucket = &engine.Kind{
	Name:         "kv_bucket",
	Ref:          "bucket",
	Doc:          "A key-value bucket. Replicas, history, TTL and sizes change in place, the values stay.",
	Collection:   "/v1/accounts/{account}/kv",
	Item:         "/v1/accounts/{account}/kv/{name}",
	Parent:       Account,
	ParentAttr:   "account",
	ByName:       true,
	Identity:     []string{"account", "name"},
	CreateSchema: "KvBucketCreate", PatchSchema: "KvBucketPatch", ObjectSchema: "KvBucket",
	Whole:        true,
	DryRun:       true,
	Example:      "such as acme/prod/orders/settings",
	Shape:        tidy,
	Plan:         underCeiling,
	GuardDestroy: guardBucket("kv", "values"),
	Attrs: append(bucketAttrs("kv bucket"),
		kind.Attr{Name: "history", Type: kind.Int, Mode: kind.Follow, Min: 1, Max: 64, Doc: "Values kept of each key; the server's default is 1"},
		size("max_value_size", "Largest value; -1 is the account's limit"),
		duration("limit_marker_ttl", "Life of the markers that expiry leaves; `0s` for none"),
		refused(kind.Attr{Name: "mirror", Type: kind.Object, Mode: kind.Follow, Doc: "The bucket that this one is a copy of", Attrs: source()}, copyBucket),
		kind.Attr{Name: "sources", Type: kind.Objects, Mode: kind.Follow, Doc: "Buckets whose values it takes over", Attrs: source()},
		republish(),
	),
}

// ObjectBucket keeps files.
var ObjectBucket = &engine.Kind{
	Name:         "object_bucket",
	Ref:          "bucket",
	Doc:          "An object bucket: files of any size, cut into messages.",
	Collection:   "/v1/accounts/{account}/objects",
	Item:         "/v1/accounts/{account}/objects/{name}",
	Parent:       Account,
	ParentAttr:   "account",
	ByName:       true,
	Identity:     []string{"account", "name"},
	CreateSchema: "ObjectBucketCreate", PatchSchema: "ObjectBucketPatch", ObjectSchema: "ObjectBucket",
	Whole:        true,
	DryRun:       true,
	Example:      "such as acme/prod/orders/invoices",
	Shape:        tidy,
	Plan:         underCeiling,
	GuardDestroy: guardBucket("objects", "bytes"),
	Attrs:        append(bucketAttrs("object bucket"), kind.Attr{Name: "sealed", Type: kind.Bool, Mode: kind.Computed, Doc: "Whether nothing can be added any more"}),
}

func bucketAttrs(what string) []kind.Attr {
	return []kind.Attr{
		{Name: "id", Type: kind.String, Mode: kind.Computed, Doc: "`<account id>/<name>`"},
		account(kind.Refused, what),
		{Name: "name", Type: kind.String, Mode: kind.Required, Change: kind.Refused, Remedy: copyBucket, Check: check.StreamName, Doc: "Name, unique among the account's buckets of this kind"},
		description(),
		refused(oneOf("storage", "Where the contents are kept", "file", "memory"), copyBucket),
		{Name: "num_replicas", Type: kind.Int, Mode: kind.Follow, Min: 1, Max: 5, Doc: "Copies: 1, 3 or 5. Changing it keeps the contents"},
		size("max_bytes", "Bytes of the whole bucket; -1 is unlimited"),
		duration("ttl", "Life of its contents; `0s` is for ever"),
		boolean("compression", "Whether it is compressed on disk"),
		placement(),
		metadata(),
		protection("the bucket"),
		{Name: "force_destroy", Type: kind.Bool, Mode: kind.Follow, Local: true, Default: false, Doc: "Lets a destroy delete a bucket that has contents"},
		permanent(),
		replaceDeleted(),
		destructive("bucket"),
		{Name: "stream_name", Type: kind.String, Mode: kind.Computed, Doc: "Name of the stream that carries it"},
		createdAt(),
		timeouts(),
	}
}

func guardBucket(segment, counter string) func(context.Context, *engine.Env, kind.Values) error {
	return func(ctx context.Context, env *engine.Env, state kind.Values) error {
		if state["force_destroy"] == true {
			return nil
		}
		path, err := engine.Expand("/v1/accounts/{account}/"+segment+"/{name}", state)
		if err != nil {
			return err
		}
		bucket, err := env.Client.Get(ctx, path, nil)
		if api.IsGone(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if held := fmt.Sprint(bucket[counter]); held != "0" && bucket[counter] != nil {
			return fmt.Errorf("bucket %v holds %s %s. To delete it all the same set force_destroy = true and apply; only then destroy it", state["id"], held, counter)
		}
		return nil
	}
}
