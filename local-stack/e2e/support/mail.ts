import { expect } from '@playwright/test';
import { status } from './stack.ts';

interface Mail {
  to: string[];
  subject: string;
  text: string;
  html: string;
}

/** The newest mail to this address whose text has it, once it is there. */
export async function mailTo(address: string, having = /./): Promise<Mail> {
  let found: Mail | undefined;
  await expect
    .poll(
      async () => {
        const mails = (await (await fetch(`${status().mail}/api/messages`)).json()) as Mail[];
        found = mails.find((mail) => mail.to.includes(address) && having.test(mail.text));
        return found !== undefined;
      },
      { message: `a mail to ${address}`, timeout: 90_000 },
    )
    .toBe(true);
  return found as Mail;
}

/** The six digits in it. */
export async function codeTo(address: string): Promise<string> {
  const mail = await mailTo(address);
  const code = /\b(\d{3}) ?(\d{3})\b/.exec(mail.text);
  if (!code) throw new Error(`no code in the mail to ${address}:\n${mail.text}`);
  return `${code[1]}${code[2]}`;
}

/** The link in it. */
export async function linkTo(address: string): Promise<string> {
  const mail = await mailTo(address);
  const link = /https?:\/\/\S+\/verify\?token=[^\s"<>]+/.exec(mail.text);
  if (!link) throw new Error(`no link in the mail to ${address}:\n${mail.text}`);
  return link[0];
}

/** The link of an invitation, with its token. */
export async function invitationTo(address: string): Promise<string> {
  const link = /https?:\/\/\S+\/invitation#token=[^\s"<>]+/;
  const mail = await mailTo(address, link);
  return link.exec(mail.text)?.[0] as string;
}
