package engine

import (
	"context"
	"sync"
	"time"

	"github.com/penstock/terraform-provider-penstock/internal/api"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

const (
	// Objects of a list that are read one by one before the whole list is: a plan over a few does not read thousands.
	readAlone = 5
	// A list is as good as so many single reads that were answered one after the other.
	freshFor = 10 * time.Second
	// Longer lists are not read for the sake of single objects.
	longestList = 5000
	// Lists that a change of this process made old, before reading them is given up.
	mostSpoilt = 3
)

// lists are whole lists that a refresh takes its objects from, so that a plan over hundreds of objects makes a few calls. An
// object is given once; who asks again asks the API. What is not in a list is asked for by itself, since only that tells whether
// it is gone or in the trash. An Env, and so a list, lives for one walk of Terraform over its graph.
type lists struct {
	mu     sync.Mutex
	byPath map[string]*listing
}

type listing struct {
	// Held while the list is read, so that it is read once.
	mu     sync.Mutex
	asked  int
	spoilt int
	given  bool
	// By name or id; nil as long as nothing was read.
	objects map[string]api.Object
	readAt  time.Time
	changes int64
}

func (l *lists) at(path string) *listing {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byPath == nil {
		l.byPath = map[string]*listing{}
	}
	if l.byPath[path] == nil {
		l.byPath[path] = &listing{}
	}
	return l.byPath[path]
}

// refresh reads the object of a state, out of a list where many are asked for.
func (k *Kind) refresh(ctx context.Context, env *Env, state kind.Values) (api.Object, error) {
	if k.Whole {
		key := "id"
		if k.ByName {
			key = k.nameAttr()
		}
		name, _ := state[key].(string)
		if path, err := Expand(k.Collection, state); err == nil && name != "" {
			if object := env.lists.at(path).take(ctx, env, path, key, name); object != nil {
				return object, nil
			}
		}
	}
	return k.fetch(ctx, env, state)
}

// take gives an object of the list, or nil where it has to be asked for by itself.
func (l *listing) take(ctx context.Context, env *Env, path, key, name string) api.Object {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.asked++; l.asked <= readAlone || l.given {
		return nil
	}
	if l.objects != nil && l.changes != env.Client.Changes() {
		l.objects = nil
		if l.spoilt++; l.spoilt >= mostSpoilt {
			l.given = true
			return nil
		}
	}
	if l.objects == nil || env.Time().Sub(l.readAt) > freshFor {
		l.read(ctx, env, path, key)
	}
	object := l.objects[name]
	delete(l.objects, name)
	return object
}

// read keeps nothing of a list that is too long or that fails; the single read then shows the error.
func (l *listing) read(ctx context.Context, env *Env, path, key string) {
	changes, begun := env.Client.Changes(), env.Time()
	objects := map[string]api.Object{}
	l.objects = nil
	for object, err := range env.Client.Pages(ctx, path, nil) {
		if err != nil || len(objects) == longestList {
			l.given = true
			return
		}
		objects[api.Text(object, key)] = object
	}
	l.objects, l.readAt, l.changes = objects, begun, changes
}
