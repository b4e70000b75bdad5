import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, body } from '../api/client';
import { ApiError, asApiError } from '../api/error';
import { inputProps } from '../lib/form-input';
import { AuthFrame } from '../ui/AuthFrame';
import { Button } from '../ui/Button';
import { ErrorLine } from '../ui/ErrorPanel';
import { Field } from '../ui/Field';

export function SignUpPage() {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const form = useForm({
    initialValues: { email: '', organization_name: '' },
    validateInputOnBlur: true,
    validate: {
      email: (value) =>
        /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) || /^[^\s@]+@localhost$/.test(value)
          ? null
          : value === ''
            ? 'An e-mail address is needed; the code goes there.'
            : `${value} is not an e-mail address.`,
      organization_name: (value) => (value.length > 80 ? 'A name has 80 characters at most.' : null),
    },
  });

  const submit = form.onSubmit(async (values) => {
    setBusy(true);
    setFailure(null);
    try {
      const signup = body(
        await api.POST('/v1/signup', {
          body: {
            email: values.email.trim(),
            ...(values.organization_name.trim() ? { organization_name: values.organization_name.trim() } : {}),
          },
        }),
      );
      await navigate({ to: '/verify', state: { signup } });
    } catch (error) {
      const failed = asApiError(error);
      form.setErrors(failed.fieldReasons);
      setFailure(failed);
    } finally {
      setBusy(false);
    }
  });

  return (
    <AuthFrame tab="Sign up" gateOpen>
      <h1>A broker of your own in a minute</h1>
      <p className="lead">Free to start, no card. Any NATS client connects unchanged. The password comes next, with the code we mail.</p>
      <form className="stack" onSubmit={submit} noValidate>
        <Field label="Work e-mail" error={form.errors.email}>
          {(id, described) => (
            <span className={form.errors.email ? 'input tall wrong' : 'input tall'}>
              <input id={id} type="email" autoComplete="email" aria-describedby={described} {...inputProps(form, 'email')} />
            </span>
          )}
        </Field>
        <Field label="Organisation" optional error={form.errors.organization_name} help="Left empty, it takes the part of your address before the @.">
          {(id, described) => (
            <span className={form.errors.organization_name ? 'input tall wrong' : 'input tall'}>
              <input id={id} autoComplete="organization" aria-describedby={described} {...inputProps(form, 'organization_name')} />
            </span>
          )}
        </Field>
        <Button type="submit" look="primary" size="large" blocked={busy ? 'The account is being created.' : null}>
          {busy ? 'Creating account' : 'Create account'}
        </Button>
        {failure && Object.keys(failure.fieldReasons).length === 0 ? <ErrorLine error={failure} /> : null}
        <p className="small ink2">
          Have an account? <a href="/auth/login?redirect=%2F">Sign in</a>
        </p>
      </form>
    </AuthFrame>
  );
}
