import type { Account, Export, ExportCreate, Import, ImportCreate } from '../api/types';
import { shortKey } from './format';
import { slugProblem } from './roles';
import { subjectProblem } from './subject';

export interface ExportForm {
  name: string;
  subject: string;
  type: 'stream' | 'service';
  description: string;
  response: 'singleton' | 'stream' | 'chunked';
  tokenRequired: boolean;
  position: string;
  sampling: string;
  latencySubject: string;
  trace: boolean;
  advertise: boolean;
}

export const EMPTY_EXPORT: ExportForm = {
  name: '',
  subject: '',
  type: 'stream',
  description: '',
  response: 'singleton',
  tokenRequired: true,
  position: '',
  sampling: '',
  latencySubject: '',
  trace: false,
  advertise: false,
};

export function fromExport(entry: Export): ExportForm {
  return {
    name: entry.name,
    subject: entry.subject,
    type: entry.type,
    description: entry.description,
    response: entry.response_type ?? 'singleton',
    tokenRequired: entry.token_required,
    position: entry.account_token_position > 0 ? String(entry.account_token_position) : '',
    sampling: entry.service_latency ? String(entry.service_latency.sampling) : '',
    latencySubject: entry.service_latency?.subject ?? '',
    trace: entry.allow_trace,
    advertise: entry.advertise,
  };
}

export type ExportErrors = Partial<Record<keyof ExportForm, string>>;

export function exportErrors(form: ExportForm, taken: readonly string[]): ExportErrors {
  const errors: ExportErrors = {};
  const name = slugProblem(form.name) ?? (taken.includes(form.name) ? `${form.name} exists already.` : null);
  if (name) errors.name = name;
  const subject = subjectProblem(form.subject);
  if (subject) errors.subject = subject;
  if (form.position) {
    const at = Number(form.position);
    const token = form.subject.split('.')[at - 1];
    if (!Number.isInteger(at) || at < 1) errors.position = `${form.position} is not a place, counted from 1.`;
    else if (token !== '*') errors.position = `Token ${at} of ${form.subject || 'the subject'} is ${token ?? 'not there'}; it has to be *.`;
  }
  if (form.type === 'service' && form.sampling) {
    const share = Number(form.sampling);
    if (!(share >= 0 && share <= 100)) errors.sampling = `${form.sampling} is not a share from 0 to 100.`;
    const latency = subjectProblem(form.latencySubject);
    if (latency) errors.latencySubject = latency;
  }
  return errors;
}

export function toExport(form: ExportForm): ExportCreate {
  const service = form.type === 'service';
  return {
    name: form.name,
    subject: form.subject,
    type: form.type,
    description: form.description,
    ...(service ? { response_type: form.response, allow_trace: form.trace } : {}),
    token_required: form.tokenRequired,
    account_token_position: form.position ? Number(form.position) : 0,
    ...(service ? { service_latency: form.sampling ? { sampling: Number(form.sampling), subject: form.latencySubject } : null } : {}),
    advertise: form.advertise,
  };
}

export interface ImportForm {
  name: string;
  /** From an account of the organisation, from one known by its public key, or by an offer. */
  from: 'account' | 'key' | 'offer';
  account: string;
  publicKey: string;
  type: 'stream' | 'service';
  subject: string;
  local: string;
  share: boolean;
  trace: boolean;
  token: string;
}

export const EMPTY_IMPORT: ImportForm = { name: '', from: 'account', account: '', publicKey: '', type: 'stream', subject: '', local: '', share: false, trace: false, token: '' };

export function fromImport(entry: Import): ImportForm {
  return {
    name: entry.name,
    from: entry.remote_account_id ? 'account' : 'key',
    account: entry.remote_account_id ?? '',
    publicKey: entry.remote_public_key,
    type: entry.type,
    subject: entry.subject,
    local: entry.local_subject ?? '',
    share: entry.share_connection_info,
    trace: entry.allow_trace,
    token: '',
  };
}

export type ImportErrors = Partial<Record<keyof ImportForm, string>>;

export function importErrors(form: ImportForm, taken: readonly string[]): ImportErrors {
  const errors: ImportErrors = {};
  const name = slugProblem(form.name) ?? (taken.includes(form.name) ? `${form.name} exists already.` : null);
  if (name) errors.name = name;
  if (form.from === 'account' && !form.account) errors.account = 'Choose the account that exports.';
  if (form.from === 'key' && !/^A[A-Z2-7]{55}$/.test(form.publicKey.trim())) errors.publicKey = 'A public account key is 56 characters long and starts with A.';
  const subject = subjectProblem(form.subject);
  if (subject) errors.subject = subject;
  // $1 stands for a wildcard of the subject; otherwise the same rules hold.
  const local = form.local ? subjectProblem(form.local.replace(/\$\d+/g, 'x')) : null;
  if (local) errors.local = local;
  return errors;
}

export function toImport(form: ImportForm, share: string | null): ImportCreate {
  return {
    name: form.name,
    type: form.type,
    subject: form.subject,
    ...(form.local && form.local !== form.subject ? { local_subject: form.local } : {}),
    ...(form.type === 'service' ? { share_connection_info: form.share } : { allow_trace: form.trace }),
    ...(share ? { share_id: share } : form.from === 'account' ? { remote_account_id: form.account } : { remote_public_key: form.publicKey.trim() }),
    ...(form.token ? { activation_token: form.token.trim() } : {}),
  };
}

/** Names of accounts by id, for what the API gives as an id. */
export function accountName(id: string | null, key: string, tree: readonly { account: Account }[] | undefined): string {
  const found = tree?.find((entry) => entry.account.id === id);
  return found ? found.account.name : shortKey(key);
}
