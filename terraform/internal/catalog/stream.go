package catalog

import (
	"context"
	"fmt"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/check"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

const copyStream = "Add another stream with the new setting, let it take the messages over with `sources`, switch clients, then remove this one; or set allow_destructive_replace = true to lose them."

// Stream keeps messages.
var Stream = &engine.Kind{
	Name: "stream",
	Doc: "A stream: keeps the messages of its subjects. What the console or the `nats` CLI changes shows as drift. " +
		"A change that only a new stream could have is a plan error, since the messages would be lost.",
	Collection:   "/v1/accounts/{account}/streams",
	Item:         "/v1/accounts/{account}/streams/{name}",
	Parent:       Account,
	ParentAttr:   "account",
	ByName:       true,
	Identity:     []string{"account", "name"},
	CreateSchema: "StreamCreate", PatchSchema: "StreamPatch", ObjectSchema: "Stream",
	Whole:        true,
	DryRun:       true,
	Example:      "such as acme/prod/orders/ORDERS",
	Shape:        tidy,
	Validate:     validateStream,
	Plan:         underCeiling,
	GuardDestroy: guardStream,
	Attrs:        append(streamAttrs(), createdAt(), timeouts()),
}

func streamAttrs() []kind.Attr {
	return []kind.Attr{
		{Name: "id", Type: kind.String, Mode: kind.Computed, Doc: "`<account id>/<name>`"},
		account(kind.Refused, "stream"),
		{Name: "name", Type: kind.String, Mode: kind.Required, Change: kind.Refused, Remedy: copyStream, Check: check.StreamName, Doc: "Name, unique in the account"},
		description(),
		subjects("subjects", "Subjects whose messages it keeps; the server's default is its name. No other stream of the account may have them"),
		oneOf("retention", "When messages go: by limits alone, when no consumer wants them any more, or when one has acknowledged them. To and from `workqueue` there is no change in place", "limits", "interest", "workqueue"),
		refused(oneOf("storage", "Where messages are kept", "file", "memory"), copyStream),
		{Name: "num_replicas", Type: kind.Int, Mode: kind.Follow, Min: 1, Max: 5, Doc: "Copies: 1, 3 or 5. Changing it keeps the messages"},
		{Name: "max_consumers", Type: kind.Int, Mode: kind.Follow, Doc: "Consumers at a time; -1 is unlimited"},
		number("max_msgs", "Messages; -1 is unlimited"),
		number("max_msgs_per_subject", "Messages of each subject; -1 is unlimited"),
		size("max_bytes", "Bytes of all messages; -1 is unlimited"),
		duration("max_age", "Life of a message; `0s` is unlimited"),
		size("max_msg_size", "Largest message; -1 is the account's limit"),
		oneOf("discard", "What happens at a limit: the oldest messages go, or new ones are refused", "old", "new"),
		boolean("discard_new_per_subject", "With `discard = \"new\"`: refuse at `max_msgs_per_subject` too"),
		duration("duplicate_window", "How long message ids are remembered; at most max_age"),
		oneOf("compression", "How messages are kept on disk", "none", "s2"),
		boolean("no_ack", "Publishers get no acknowledgement"),
		{Name: "sealed", Type: kind.Bool, Mode: kind.Follow, Change: kind.OneWay, Remedy: oneWay, Doc: "Nothing can be added or deleted any more"},
		{Name: "deny_delete", Type: kind.Bool, Mode: kind.Follow, Change: kind.OneWay, Remedy: oneWay, Doc: "Single messages cannot be deleted"},
		{Name: "deny_purge", Type: kind.Bool, Mode: kind.Follow, Change: kind.OneWay, Remedy: oneWay, Doc: "The stream cannot be purged"},
		boolean("allow_rollup_hdrs", "A message may replace all earlier ones by the header `Nats-Rollup`"),
		boolean("allow_direct", "Messages can be read from any replica"),
		boolean("mirror_direct", "A mirror answers direct reads of its origin"),
		{Name: "allow_msg_ttl", Type: kind.Bool, Mode: kind.Follow, Change: kind.OneWay, Remedy: oneWay, Doc: "A message may carry its own life in the header `Nats-TTL`"},
		duration("subject_delete_marker_ttl", "Life of the markers that expiry leaves; needs allow_msg_ttl"),
		boolean("allow_atomic", "Batches that are stored whole or not at all"),
		boolean("allow_batched", "Fast batches"),
		refused(boolean("allow_msg_counter", "Messages are counters"), copyStream),
		boolean("allow_msg_schedules", "Messages may be scheduled"),
		refused(oneOf("persist_mode", "When an acknowledgement is given: after the disk has it, or before", "default", "async"), copyStream),
		refused(kind.Attr{Name: "first_seq", Type: kind.Sequence, Mode: kind.Follow, Doc: "Sequence of the first message"}, copyStream),
		placement(),
		mirror(),
		{Name: "sources", Type: kind.Objects, Mode: kind.Follow, Doc: "Streams whose messages it takes over", Attrs: source()},
		{Name: "subject_transform", Type: kind.Object, Mode: kind.Follow, Doc: "Changes subjects as messages come in", Attrs: transform()},
		republish(),
		{Name: "consumer_limits", Type: kind.Object, Mode: kind.Follow, Doc: "Limits and defaults of its consumers", Attrs: []kind.Attr{
			duration("inactive_threshold", "Longest time a consumer lives unused"),
			number("max_ack_pending", "Largest `max_ack_pending`"),
		}},
		metadata(),
		protection("the stream"),
		{Name: "force_destroy", Type: kind.Bool, Mode: kind.Follow, Local: true, Default: false, Doc: "Lets a destroy delete a stream that has or had messages"},
		permanent(),
		replaceDeleted(),
		destructive("stream"),
	}
}

const oneWay = "Add another stream without it and switch to that."

func permanent() kind.Attr {
	return kind.Attr{Name: "delete_permanently", Type: kind.Bool, Mode: kind.Follow, Local: true, Default: false,
		Doc: "Destroy for good at once, instead of keeping it restorable for some days under its name"}
}

func replaceDeleted() kind.Attr {
	return kind.Attr{Name: "replace_deleted", Type: kind.Bool, Mode: kind.Follow, Local: true, Default: false,
		Doc: "When a deleted one of this name can still be restored, give that up for good and make a new one"}
}

func placement() kind.Attr {
	return kind.Attr{Name: "placement", Type: kind.Object, Mode: kind.Follow, Doc: "Where its replicas lie", Attrs: []kind.Attr{
		text("cluster", "Name of the cluster"),
		{Name: "tags", Type: kind.List, Mode: kind.Follow, Doc: "Tags that a server must have"},
	}}
}

func mirror() kind.Attr {
	return kind.Attr{Name: "mirror", Type: kind.Object, Mode: kind.Follow, Change: kind.Refused, Remedy: copyStream,
		Doc: "The stream that this one is a copy of; excludes `subjects` and `sources`", Attrs: source()}
}

// source fields are the configuration's alone, since they lie in lists.
func source() []kind.Attr {
	return []kind.Attr{
		{Name: "name", Type: kind.String, Mode: kind.Required, Check: check.StreamName, Doc: "Name of the stream"},
		{Name: "opt_start_seq", Type: kind.Sequence, Mode: kind.Optional, Doc: "First sequence to take"},
		{Name: "opt_start_time", Type: kind.Time, Mode: kind.Optional, Doc: "Time of the first message to take"},
		{Name: "filter_subject", Type: kind.String, Mode: kind.Optional, Check: check.Subject, Doc: "Only messages of these subjects"},
		{Name: "subject_transforms", Type: kind.Objects, Mode: kind.Optional, Doc: "Changes of subjects on the way", Attrs: transform()},
		{Name: "external", Type: kind.Object, Mode: kind.Optional, Doc: "A stream of another account, through an import", Attrs: []kind.Attr{
			{Name: "api", Type: kind.String, Mode: kind.Required, Doc: "Prefix of the imported JetStream API"},
			{Name: "deliver", Type: kind.String, Mode: kind.Optional, Doc: "Prefix of the imported deliver subjects"},
		}},
		{Name: "consumer", Type: kind.Object, Mode: kind.Optional, Doc: "A consumer made beforehand to source with", Attrs: []kind.Attr{
			{Name: "name", Type: kind.String, Mode: kind.Optional, Doc: "Its name"},
			{Name: "deliver_subject", Type: kind.String, Mode: kind.Optional, Doc: "Its deliver subject"},
		}},
	}
}

func transform() []kind.Attr {
	return []kind.Attr{
		{Name: "src", Type: kind.String, Mode: kind.Required, Doc: "Filter of subjects"},
		{Name: "dest", Type: kind.String, Mode: kind.Required, Doc: "New subject, with `{{wildcard(1)}}` for wildcards"},
	}
}

func republish() kind.Attr {
	return kind.Attr{Name: "republish", Type: kind.Object, Mode: kind.Follow, Doc: "Publishes every stored message again", Attrs: []kind.Attr{
		{Name: "src", Type: kind.String, Mode: kind.Follow, Doc: "Filter of subjects"},
		{Name: "dest", Type: kind.String, Mode: kind.Required, Doc: "New subject"},
		boolean("headers_only", "Without payloads"),
	}}
}

func validateStream(config kind.Values) []engine.Fault {
	var faults []engine.Fault
	fault := func(attr, text string) { faults = append(faults, engine.Fault{Attr: attr, Text: text}) }
	if known(config, "mirror") {
		if list, ok := config["subjects"].([]any); ok && len(list) > 0 {
			fault("subjects", "A mirror has no subjects of its own: leave them out.")
		}
		if list, ok := config["sources"].([]any); ok && len(list) > 0 {
			fault("sources", "A stream is a mirror or has sources, not both.")
		}
	}
	if n, ok := config["num_replicas"].(int64); ok && n%2 == 0 {
		fault("num_replicas", fmt.Sprintf("%d replicas are one too few or one too many: write 1, 3 or 5.", n))
	}
	if config["discard_new_per_subject"] == true && (config["discard"] == nil || config["discard"] == "old") {
		fault("discard_new_per_subject", "Only with discard = \"new\".")
	}
	window, errWindow := quantity.ParseDuration(textOf(config, "duplicate_window"))
	age, errAge := quantity.ParseDuration(textOf(config, "max_age"))
	if errWindow == nil && errAge == nil && age > 0 && window > age {
		fault("duplicate_window", fmt.Sprintf("%s is longer than max_age %s: ids of messages that are gone cannot be remembered.", config["duplicate_window"], config["max_age"]))
	}
	return faults
}

func guardStream(ctx context.Context, env *engine.Env, state kind.Values) error {
	if state["force_destroy"] == true {
		return nil
	}
	path, err := engine.Expand("/v1/accounts/{account}/streams/{name}", state)
	if err != nil {
		return err
	}
	stream, err := env.Client.Get(ctx, path, nil)
	if api.IsGone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	last, _ := at(stream, "state", "last_seq").(string)
	if last == "" || last == "0" {
		return nil
	}
	return fmt.Errorf("stream %v holds %v messages and has stored up to sequence %s. To delete it all the same set force_destroy = true and apply; only then destroy it",
		state["id"], at(stream, "state", "messages"), last)
}
