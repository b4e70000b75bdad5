package actions

import (
	"testing"

	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

func TestAttributesThatExcludeEachOther(t *testing.T) {
	for _, each := range []struct {
		call   *call
		config kind.Values
		wrong  bool
	}{
		{purgeStream(), kind.Values{"seq": int64(1), "keep": int64(1)}, true},
		{purgeStream(), kind.Values{"keep": int64(-1)}, true},
		{purgeStream(), kind.Values{"keep": int64(0)}, false},
		{restore(), kind.Values{"stream": "S", "kv_bucket": "B"}, true},
		{restore(), kind.Values{"stream": "S"}, false},
		{restore(), kind.Values{}, false},
	} {
		if got := each.call.fault(each.config); (got != "") != each.wrong {
			t.Errorf("%s %v: %q", each.call.name, each.config, got)
		}
	}
}
