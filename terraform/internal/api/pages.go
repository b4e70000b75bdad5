package api

import (
	"context"
	"iter"
	"maps"
	"net/url"
	"strconv"
)

// Largest page that the API gives.
const pageSize = 500

// Pages walks a list to its end.
func (c *Client) Pages(ctx context.Context, path string, query url.Values) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		asked := maps.Clone(query)
		if asked == nil {
			asked = url.Values{}
		}
		asked.Set("page[size]", strconv.Itoa(pageSize))
		for {
			page, err := c.Get(ctx, path, asked)
			if err != nil {
				yield(nil, err)
				return
			}
			items, _ := page["data"].([]any)
			for _, item := range items {
				if object, ok := item.(Object); ok && !yield(object, nil) {
					return
				}
			}
			next := Text(objectOf(page["page"]), "next")
			if next == "" {
				return
			}
			asked.Set("page[after]", next)
		}
	}
}

// Find gives the first object of a list whose field has the value, or nil.
func (c *Client) Find(ctx context.Context, path, field, value string) (Object, error) {
	for object, err := range c.Pages(ctx, path, nil) {
		if err != nil {
			return nil, err
		}
		if Text(object, field) == value {
			return object, nil
		}
	}
	return nil, nil
}

// Text gives a string field, or "" when it is absent, null or something else.
func Text(object Object, field string) string {
	text, _ := object[field].(string)
	return text
}

func objectOf(value any) Object {
	object, _ := value.(Object)
	return object
}
