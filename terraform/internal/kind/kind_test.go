package kind

import (
	"encoding/json"
	"reflect"
	"testing"
)

var sample = []Attr{
	{Name: "id", Mode: Computed},
	{Name: "age", Type: Duration, Mode: Follow},
	{Name: "size", Type: Size, Mode: Follow},
	{Name: "seq", Type: Sequence, Mode: Follow},
	{Name: "tags", Type: Set, Mode: Follow},
	{Name: "labels", Type: Map, Mode: Follow},
	{Name: "scope", Field: "template", Type: Object, Mode: Follow, Attrs: []Attr{{Name: "a", Mode: Follow}, {Name: "b", Mode: Follow}}},
	{Name: "local", Mode: Follow, Local: true},
	{Name: "seen", Mode: Computed, Volatile: true},
}

func TestBodyIsWhatTheAPIReads(t *testing.T) {
	body, err := Body(sample, Values{"age": "3d", "size": "1KiB", "seq": int64(7), "tags": []any{"x"}, "local": "no", "id": Unknown, "scope": Values{"a": "1", "b": Unknown}})
	want := map[string]any{"age": "72h", "size": int64(1024), "seq": "7", "tags": []any{"x"}, "template": map[string]any{"a": "1"}}
	if err != nil || !reflect.DeepEqual(body, want) {
		t.Errorf("%v %v", body, err)
	}
}

func TestPatchHoldsWhatDiffers(t *testing.T) {
	state := Values{"age": "72h", "size": "1KiB", "tags": []any{"x", "y"}, "labels": Values{"a": "1", "b": "2"}, "scope": Values{"a": "1", "b": "2"}}
	plan := Values{"age": "3d", "size": "2KiB", "tags": []any{"y", "x"}, "labels": Values{"b": "3"}, "scope": Values{"a": "9", "b": nil}}
	patch, err := Patch(sample, state, plan)
	want := map[string]any{"size": int64(2048), "labels": map[string]any{"a": nil, "b": "3"}, "template": map[string]any{"a": "9", "b": nil}}
	if err != nil || !reflect.DeepEqual(patch, want) {
		t.Errorf("%v %v", patch, err)
	}
}

func TestReadKeepsWhatMeansTheSame(t *testing.T) {
	var object map[string]any
	content := `{"id":"x","age":"72h","size":1024,"seq":"7","tags":["y","x"],"template":{"a":"1","b":"2"}}`
	if err := json.Unmarshal([]byte(content), &object); err != nil {
		t.Fatal(err)
	}
	prior := Values{"age": "3d", "size": "1024", "tags": []any{"x", "y"}, "local": "kept", "scope": Values{"a": "0", "b": Unknown}}
	values := Read(sample, object, prior)
	for name, want := range map[string]any{"id": "x", "age": "3d", "size": "1024", "seq": int64(7), "tags": []any{"x", "y"}, "local": "kept", "scope": Values{"a": "1", "b": "2"}} {
		if !reflect.DeepEqual(values[name], want) {
			t.Errorf("%s is %v, want %v", name, values[name], want)
		}
	}
}

func TestPlanWithoutAChangeIsTheState(t *testing.T) {
	state := Values{"id": "x", "age": "72h", "tags": []any{"x", "y"}, "scope": Values{"a": "1", "b": "2"}, "seen": "then"}
	config := Values{"age": "3d", "tags": []any{"y", "x"}, "scope": Values{"a": "1"}}
	plan := Values{"id": Unknown, "age": "3d", "tags": []any{"y", "x"}, "scope": Values{"a": "1", "b": Unknown}, "seen": Unknown}
	settled, changed := Settle(sample, config, state, plan)
	if changed || !reflect.DeepEqual(settled["scope"], state["scope"]) || settled["seen"] != "then" {
		t.Errorf("%v %v", settled, changed)
	}
	plan["age"], config["age"] = "4d", "4d"
	settled, changed = Settle(sample, config, state, plan)
	if !changed || settled["seen"] != Unknown || settled["id"] != "x" {
		t.Errorf("%v %v", settled, changed)
	}
}

func TestObjectionsFollowTheDescriptions(t *testing.T) {
	attrs := []Attr{{Name: "fixed", Change: Refused, Remedy: "Do this."}, {Name: "way", Type: Bool, Change: OneWay}, {Name: "new", Change: Replaced}}
	found := Objections(attrs, Values{"fixed": "a", "way": true, "new": "a"}, Values{"fixed": "b", "way": false, "new": "b"})
	if len(found) != 3 || found[0].Replace || !found[2].Replace {
		t.Errorf("%v", found)
	}
	if found := Objections(attrs, Values{"fixed": "a", "way": false, "new": "a"}, Values{"fixed": "a", "way": true, "new": Unknown}); len(found) != 0 {
		t.Errorf("%v", found)
	}
}

func TestWhatIsNotKnownToItsEndIsNotCertain(t *testing.T) {
	got := Certain(Values{"a": "1", "b": Values{"x": Unknown, "y": "2"}, "c": []any{Values{"d": []any{Unknown}}}, "d": nil})
	if want := (Values{"a": "1", "b": Unknown, "c": Unknown, "d": nil}); !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

func TestNegativeDurationsAreFaults(t *testing.T) {
	if got := (rule{Attr{Name: "age", Type: Duration}}).fault("-1s"); got == "" {
		t.Error("a negative life is taken")
	}
	if got := (rule{Attr{Name: "ttl", Type: Duration, Signed: true}}).fault("-1s"); got != "" {
		t.Error(got)
	}
}
