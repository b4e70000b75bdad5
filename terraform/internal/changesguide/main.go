// Command changesguide writes the guide that says for every attribute what a change of it does, from the descriptions.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/penstock/terraform-provider-penstock/internal/catalog"
	"github.com/penstock/terraform-provider-penstock/internal/kind"
)

const header = `---
page_title: "What each change does"
description: |-
  For every attribute: changed in place, a new object, or a plan error.
---

# What each change does

*In place* keeps the object and its data. *Plan error* is what only a new object could have and would lose data, positions or credentials: the error says
what to do instead, and ` + "`allow_destructive_replace`" + ` (for consumers ` + "`on_immutable_change`" + `) lifts it. *Replace* makes a new object where nothing is lost.
Attributes that are not named here are changed in place.
`

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: changesguide FILE")
	}
	var out strings.Builder
	out.WriteString(header)
	for _, k := range catalog.All() {
		fmt.Fprintf(&out, "\n## %s\n\n", k.TypeName())
		rows := 0
		for _, a := range k.Attrs {
			if a.Change == kind.InPlace || a.Mode == kind.Computed {
				continue
			}
			if rows == 0 {
				out.WriteString("| Attribute | A change is | Instead |\n|---|---|---|\n")
			}
			rows++
			fmt.Fprintf(&out, "| `%s` | %s | %s |\n", a.Name, a.Change, a.Remedy)
		}
		if rows == 0 {
			out.WriteString("Everything is changed in place.\n")
		}
	}
	if err := os.WriteFile(os.Args[1], []byte(out.String()), 0o644); err != nil {
		log.Fatal(err)
	}
}
