package catalog

import "github.com/penstock/terraform-provider-penstock/internal/engine"

// All kinds that are managed, in the order of their dependence.
func All() []*engine.Kind {
	return []*engine.Kind{
		Project, Account, SigningKeyGroup, User, Credential, UserRevocation, Stream, Consumer, KvBucket, KvEntry, ObjectBucket,
		Export, Share, Import, ServiceAccount, APIToken, RoleAssignment,
	}
}
