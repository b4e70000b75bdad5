export interface CredsLine {
  text: string;
  /** A dashed line around a part of the file. */
  fence: boolean;
}

const WIDTH = 52;

/** The lines of a credential file as they may stand on a screen: JWT cut short, seed as dots. */
export function hiddenCreds(file: string): CredsLine[] {
  const lines = file.trimEnd().split('\n');
  return lines.map((text, i) => {
    if (text.startsWith('---')) return { text, fence: true };
    const opening = lines.slice(0, i).reverse().find((line) => line.startsWith('---'));
    if (text !== '' && opening?.includes('BEGIN USER NKEY SEED')) return { text: '•'.repeat(WIDTH), fence: false };
    return { text: text.length > WIDTH ? `${text.slice(0, WIDTH)}…` : text, fence: false };
  });
}

export function shownCreds(file: string): CredsLine[] {
  return file
    .trimEnd()
    .split('\n')
    .map((text) => ({ text, fence: text.startsWith('---') }));
}

/** Joins a JWT with a seed that never left its machine into the file that every client reads. */
export function joinCommand(jwtFile: string, seedFile: string, credsFile: string): string {
  const format =
    '-----BEGIN NATS USER JWT-----\\n%s\\n------END NATS USER JWT------\\n\\n-----BEGIN USER NKEY SEED-----\\n%s\\n------END USER NKEY SEED------\\n';
  return `(umask 077; printf -- '${format}' "$(cat ./${jwtFile})" "$(cat ./${seedFile})" > ./${credsFile})`;
}
