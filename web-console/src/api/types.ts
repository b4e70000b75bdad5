import type { components } from './schema';

type S = components['schemas'];

export type Problem = S['Problem'];
export type Me = S['Me'];
export type Membership = S['Membership'];
export type Bootstrap = S['Bootstrap'];
export type Signup = S['Signup'];
export type Account = S['Account'];
export type Project = S['Project'];
export type ConnectInfo = S['ConnectInfo'];
export type Onboarding = S['Onboarding'];
export type SigningKeyGroup = S['SigningKeyGroup'];
export type User = S['User'];
export type Issuance = S['Issuance'];
export type CredentialCreate = S['CredentialCreate'];
export type CredentialResult = S['CredentialResult'];
export type Stream = S['Stream'];
export type StreamCreate = S['StreamCreate'];
export type StreamPatch = S['StreamPatch'];
export type StreamDryRun = S['StreamDryRun'];
export type FieldChange = S['FieldChange'];
export type Affected = S['Affected'];
export type Message = S['Message'];
export type Consumer = S['Consumer'];
export type ConsumerCreate = S['ConsumerCreate'];
export type ConsumerPatch = S['ConsumerPatch'];
export type AuditEvent = S['AuditEvent'];
