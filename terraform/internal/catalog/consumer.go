package catalog

import (
	"context"
	"fmt"

	"github.com/penstock/terraform-provider-penstock/internal/check"
	"github.com/penstock/terraform-provider-penstock/internal/engine"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

const copyConsumer = "What was acknowledged so far would be forgotten. Add another consumer, let the old one run dry, switch clients; or set on_immutable_change = \"recreate\" to start anew, or \"reset\" to go on after the last message up to which all were acknowledged."

// Consumer is a position in a stream.
var Consumer = &engine.Kind{
	Name: "consumer",
	Doc: "A consumer of a stream: what is delivered and acknowledged. Durable unless `inactive_threshold` is set. " +
		"A change that only a new consumer could have is a plan error, since its position would be lost.",
	Collection:   "/v1/accounts/{account}/streams/{stream}/consumers",
	Item:         "/v1/accounts/{account}/streams/{stream}/consumers/{name}",
	Parent:       Stream,
	ParentAttr:   "stream",
	ByName:       true,
	Identity:     []string{"account", "stream", "name"},
	CreateSchema: "ConsumerCreate", PatchSchema: "ConsumerPatch", ObjectSchema: "Consumer",
	Whole:    true,
	DryRun:   true,
	Example:  "such as acme/prod/orders/ORDERS/billing-worker",
	Shape:    tidy,
	Validate: validateConsumer,
	Plan:     planConsumer,
	Change:   changeConsumer,
	Attrs: []kind.Attr{
		{Name: "id", Type: kind.String, Mode: kind.Computed, Doc: "`<account id>/<stream>/<name>`"},
		account(kind.Refused, "consumer"),
		{Name: "stream", Field: "stream_name", Type: kind.String, Mode: kind.Required, Change: kind.Refused, Remedy: copyConsumer, Check: check.StreamName, Doc: "Name of the stream"},
		{Name: "name", Type: kind.String, Mode: kind.Required, Change: kind.Refused, Remedy: copyConsumer, Check: check.StreamName, Doc: "Name, unique in the stream"},
		description(),
		refused(oneOf("deliver_policy", "Where it starts", "all", "last", "new", "by_start_sequence", "by_start_time", "last_per_subject"), copyConsumer),
		refused(kind.Attr{Name: "opt_start_seq", Type: kind.Sequence, Mode: kind.Follow, Doc: "Where it starts with `deliver_policy = \"by_start_sequence\"`"}, copyConsumer),
		refused(kind.Attr{Name: "opt_start_time", Type: kind.Time, Mode: kind.Follow, Doc: "Where it starts with `deliver_policy = \"by_start_time\"`"}, copyConsumer),
		refused(oneOf("ack_policy", "What is acknowledged: each message, all up to one, or none", "explicit", "all", "none", "flow_control"), copyConsumer),
		duration("ack_wait", "How long it waits for an acknowledgement before it delivers again; with `backoff` the first of its times is used instead"),
		number("max_deliver", "Deliveries of one message; -1 is unlimited"),
		{Name: "backoff", Type: kind.DurationList, Mode: kind.Follow, Doc: "Waits before the 2nd, 3rd … delivery; **its first value takes the place of ack_wait**; at most max_deliver of them"},
		{Name: "filter_subject", Type: kind.String, Mode: kind.Follow, Check: check.Subject, Doc: "Only messages of these subjects; excludes filter_subjects"},
		subjects("filter_subjects", "Only messages of these subjects; they may not overlap"),
		refused(oneOf("replay_policy", "As fast as possible, or in the rhythm in which they came", "instant", "original"), copyConsumer),
		text("sample_freq", "Share of acknowledgements that are reported, such as `\"100%\"`"),
		number("max_ack_pending", "Messages that may wait for an acknowledgement; -1 is unlimited"),
		refused(number("max_waiting", "Pull requests that may wait; pull only"), copyConsumer),
		number("max_batch", "Largest batch of a pull request; pull only"),
		duration("max_expires", "Longest time of a pull request; pull only"),
		size("max_bytes", "Largest size of a pull request; pull only"),
		duration("inactive_threshold", "How long it lives unused"),
		{Name: "num_replicas", Type: kind.Int, Mode: kind.Follow, Min: 0, Max: 5, Doc: "Copies; 0 is as many as the stream has"},
		refused(boolean("mem_storage", "Its state is kept in memory"), copyConsumer),
		boolean("headers_only", "Without payloads"),
		{Name: "deliver_subject", Type: kind.String, Mode: kind.Follow, Check: check.Subject, Doc: "Where messages are pushed; makes it a push consumer. A pull consumer does not become one"},
		text("deliver_group", "Queue group that shares the messages; push only"),
		refused(boolean("flow_control", "Slow receivers slow it down; push only"), copyConsumer),
		refused(duration("idle_heartbeat", "A sign of life where nothing is to deliver; push only"), copyConsumer),
		number("rate_limit_bps", "Bits per second; push only"),
		{Name: "priority_groups", Type: kind.List, Mode: kind.Follow, Doc: "Names of groups of pulling clients; pull only"},
		oneOf("priority_policy", "How groups share; pull only", "none", "overflow", "pinned_client", "prioritized"),
		duration("priority_timeout", "How long a pinned client may be silent"),
		{Name: "pause_until", Type: kind.Time, Mode: kind.Follow, Doc: "Deliver nothing until then. The actions pause and resume are for what no configuration should hold"},
		metadata(),
		{Name: "on_immutable_change", Type: kind.String, Mode: kind.Follow, Local: true, Default: "error", OneOf: []string{"error", "recreate", "reset"},
			Doc: "What a change does that only a new consumer could have: a plan error; a new consumer that starts anew, shown as a replacement (`recreate`); or, in place, a new consumer under the same name that goes on after the last message up to which all were acknowledged (`reset`). With `reset`, messages acknowledged out of turn after that one come again, and a changed start is where it begins"},
		createdAt(),
		timeouts(),
	},
}

func planConsumer(ctx context.Context, env *engine.Env, step *engine.PlanStep) error {
	if known(step.Plan, "ack_wait") && known(step.Config, "ack_wait") {
		if list, ok := step.Config["backoff"].([]any); ok && len(list) > 0 && !quantity.SameDuration(textOf(step.Config, "ack_wait"), first(list)) {
			step.Warnings = append(step.Warnings, fmt.Sprintf("ack_wait %s has no effect: the first time of backoff, %s, takes its place. Set both alike, or leave ack_wait out.", step.Config["ack_wait"], first(list)))
		}
	}
	if step.State != nil && step.Kind.MadeAnew(step.State, step.Plan) {
		step.Plan["created_at"] = kind.Unknown
		step.Warnings = append(step.Warnings, "The consumer is deleted and made anew under its name, since on_immutable_change is \"reset\". "+startsAt(step.Kind, step.State, step.Plan))
	}
	return underCeiling(ctx, env, step)
}

func first(list []any) string {
	text, _ := list[0].(string)
	return text
}

var pullOnly = []string{"max_waiting", "max_batch", "max_expires", "max_bytes", "priority_groups", "priority_policy", "priority_timeout"}

var pushOnly = []string{"deliver_group", "flow_control", "idle_heartbeat", "rate_limit_bps"}

func validateConsumer(config kind.Values) []engine.Fault {
	var faults []engine.Fault
	fault := func(attr, text string) { faults = append(faults, engine.Fault{Attr: attr, Text: text}) }
	if known(config, "deliver_subject") {
		for _, name := range pullOnly {
			if known(config, name) {
				fault(name, "Pull consumers only: this is a push consumer, since it has a deliver_subject.")
			}
		}
	} else if config["deliver_subject"] == nil {
		for _, name := range pushOnly {
			if known(config, name) && config[name] != false {
				fault(name, "Push consumers only: set deliver_subject, or leave this out.")
			}
		}
		if config["ack_policy"] == "none" && known(config, "max_ack_pending") {
			fault("max_ack_pending", "With ack_policy = \"none\" nothing waits for an acknowledgement.")
		}
	}
	if known(config, "filter_subject") && known(config, "filter_subjects") {
		fault("filter_subject", "Set filter_subject or filter_subjects, not both.")
	}
	faults = append(faults, validateStart(config)...)
	backoff, _ := config["backoff"].([]any)
	if most, ok := config["max_deliver"].(int64); ok && most > 0 && int64(len(backoff)) > most {
		fault("backoff", fmt.Sprintf("%d times for at most %d deliveries: the last ones would never be used.", len(backoff), most))
	}
	if config["flow_control"] == true && config["idle_heartbeat"] == nil {
		fault("flow_control", "Flow control needs idle_heartbeat.")
	}
	return faults
}

func validateStart(config kind.Values) []engine.Fault {
	var faults []engine.Fault
	for attr, policy := range map[string]string{"opt_start_seq": "by_start_sequence", "opt_start_time": "by_start_time"} {
		chosen := config["deliver_policy"]
		switch {
		case known(config, attr) && chosen != policy && !kind.IsUnknown(chosen):
			faults = append(faults, engine.Fault{Attr: attr, Text: fmt.Sprintf("Only with deliver_policy = %q.", policy)})
		case chosen == policy && config[attr] == nil:
			faults = append(faults, engine.Fault{Attr: "deliver_policy", Text: fmt.Sprintf("%q needs %s.", policy, attr)})
		}
	}
	return faults
}
