// Command terraform-provider-penstock is the Terraform provider of Penstock.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/penstock/terraform-provider-penstock/internal/provider"
)

// Set by the release build.
var version = "dev"

func main() {
	debug := flag.String("debug", "", "serve for a debugger, under this full source address (host/penstock/penstock)")
	flag.Parse()
	options := providerserver.ServeOpts{Address: "localhost/penstock/penstock"}
	if *debug != "" {
		options = providerserver.ServeOpts{Address: *debug, Debug: true}
	}
	if err := providerserver.Serve(context.Background(), provider.New(version), options); err != nil {
		log.Fatal(err)
	}
}
