// Package functions holds the provider's functions: pure helpers, without a call.
package functions

import (
	"context"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/nats-io/nkeys"

	"github.com/penstock/terraform-provider-penstock/internal/check"
	"github.com/penstock/terraform-provider-penstock/internal/quantity"
)

// All functions.
func All() []func() function.Function {
	return []func() function.Function{
		func() function.Function { return durationSeconds{} },
		func() function.Function { return subjectMatches{} },
		func() function.Function { return nkeyType{} },
		func() function.Function { return parseCreds{} },
	}
}

type durationSeconds struct{}

func (durationSeconds) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "duration_seconds"
}

func (durationSeconds) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "Seconds of a duration",
		MarkdownDescription: "Gives the seconds of a duration such as `\"72h\"`, `\"3d\"` or `\"1h30m\"`; fractions stay.",
		Parameters:          []function.Parameter{function.StringParameter{Name: "duration", MarkdownDescription: "The duration."}},
		Return:              function.Float64Return{},
	}
}

func (durationSeconds) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	nanos, err := quantity.ParseDuration(text)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, float64(nanos)/1e9)
}

type subjectMatches struct{}

func (subjectMatches) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "subject_matches"
}

func (subjectMatches) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "Whether a filter covers a subject",
		MarkdownDescription: "Tells whether a filter, in which `*` stands for one token and a last `>` for one or more, covers a subject.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "filter", MarkdownDescription: "The filter."},
			function.StringParameter{Name: "subject", MarkdownDescription: "The subject."},
		},
		Return: function.BoolReturn{},
	}
}

func (subjectMatches) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var filter, subject string
	if resp.Error = req.Arguments.Get(ctx, &filter, &subject); resp.Error != nil {
		return
	}
	for i, text := range []string{filter, subject} {
		if why := check.SubjectFault(text); why != "" {
			resp.Error = function.NewArgumentFuncError(int64(i), text+" is no subject: "+why)
			return
		}
	}
	resp.Error = resp.Result.Set(ctx, check.SubjectMatches(filter, subject))
}

type nkeyType struct{}

func (nkeyType) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "nkey_type"
}

func (nkeyType) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "What a public nkey is of",
		MarkdownDescription: "Gives `user`, `account`, `operator`, `server`, `cluster` or `curve` for a valid public nkey, and null for anything else. A seed is refused.",
		Parameters:          []function.Parameter{function.StringParameter{Name: "nkey", MarkdownDescription: "The public key."}},
		Return:              function.StringReturn{},
	}
}

var keyTypes = map[nkeys.PrefixByte]string{
	nkeys.PrefixByteUser: "user", nkeys.PrefixByteAccount: "account", nkeys.PrefixByteOperator: "operator",
	nkeys.PrefixByteServer: "server", nkeys.PrefixByteCluster: "cluster", nkeys.PrefixByteCurve: "curve",
}

func (nkeyType) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var key string
	if resp.Error = req.Arguments.Get(ctx, &key); resp.Error != nil {
		return
	}
	if strings.HasPrefix(key, "S") && len(key) >= 50 {
		resp.Error = function.NewArgumentFuncError(0, "this is a seed, a secret: give the public key")
		return
	}
	kind := types.StringNull()
	if nkeys.IsValidPublicKey(key) {
		if name, ok := keyTypes[nkeys.Prefix(key)]; ok {
			kind = types.StringValue(name)
		}
	}
	resp.Error = resp.Result.Set(ctx, kind)
}

type parseCreds struct{}

func (parseCreds) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "parse_creds"
}

var credsTypes = map[string]attr.Type{"jwt": types.StringType, "seed": types.StringType, "public_key": types.StringType}

func (parseCreds) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "Parts of a .creds file",
		MarkdownDescription: "Takes a `.creds` file apart: `jwt`, `seed` and the `public_key` that belongs to the seed. The seed is a secret: use it in ephemeral values only.",
		Parameters:          []function.Parameter{function.StringParameter{Name: "creds", MarkdownDescription: "The whole text of the file."}},
		Return:              function.ObjectReturn{AttributeTypes: credsTypes},
	}
}

var (
	jwtBlock  = regexp.MustCompile(`(?s)-+BEGIN NATS USER JWT-+\s*(\S+)\s*-+END NATS USER JWT-+`)
	seedBlock = regexp.MustCompile(`(?s)-+BEGIN USER NKEY SEED-+\s*(\S+)\s*-+END USER NKEY SEED-+`)
)

func (parseCreds) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var creds string
	if resp.Error = req.Arguments.Get(ctx, &creds); resp.Error != nil {
		return
	}
	jwt, seed := jwtBlock.FindStringSubmatch(creds), seedBlock.FindStringSubmatch(creds)
	if jwt == nil || seed == nil {
		resp.Error = function.NewArgumentFuncError(0, "this is no .creds file: it lacks the block of the JWT or of the seed")
		return
	}
	pair, err := nkeys.FromSeed([]byte(seed[1]))
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, "the seed of the .creds file is damaged")
		return
	}
	public, err := pair.PublicKey()
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, "the seed of the .creds file is damaged")
		return
	}
	value, diags := types.ObjectValue(credsTypes, map[string]attr.Value{
		"jwt": types.StringValue(jwt[1]), "seed": types.StringValue(seed[1]), "public_key": types.StringValue(public),
	})
	if diags.HasError() {
		resp.Error = function.FuncErrorFromDiags(ctx, diags)
		return
	}
	resp.Error = resp.Result.Set(ctx, value)
}
