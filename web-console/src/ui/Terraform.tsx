import { useState } from 'react';
import { render, type TerraformKind } from '../terraform/render';
import { Button } from './Button';
import { Code } from './Code';
import { Command, CopyButton } from './Copy';
import { Dialog } from './Dialog';

interface Props {
  kind: TerraformKind;
  /** The object as the API gave it. */
  object: object;
  /** What it is called, for the names of button and dialog: "stream ORDERS". */
  what: string;
  size?: 'compact' | 'normal';
  /** Where several stand side by side, the words that tell them apart. */
  label?: string;
  opened: boolean;
  onClose: () => void;
}

/** The resource that an object is to Terraform, with what takes the existing one over. */
export function TerraformDialog({ kind, object, what, opened, onClose }: Omit<Props, 'size' | 'label'>) {
  const made = render(kind, object);
  const text = `${made.resource}\n${made.importBlock}`;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={
        <>
          Terraform for <span className="break">{what}</span>
        </>
      }
      lead="After the import a plan is empty. What equals the server’s default is left out and follows the server."
      foot={
        <>
          <CopyButton text={text} what="Terraform with the import block">
            Copy with the import block
          </CopyButton>
          <CopyButton text={made.resource} what="Terraform resource">
            Copy resource
          </CopyButton>
          <span className="to-end">
            <Button look="ghost" onClick={onClose}>
              Close
            </Button>
          </span>
        </>
      }
    >
      <Code text={text} language="hcl" label={`Terraform for ${what}`} />
      <div>
        <div className="label" style={{ marginBottom: 4 }}>
          Or without the block, before Terraform 1.5
        </div>
        <Command>{made.importCommand}</Command>
      </div>
    </Dialog>
  );
}

/** "Copy as Terraform", beside every kind. */
export function CopyTerraform({ kind, object, what, size = 'normal', label = 'Terraform' }: Omit<Props, 'opened' | 'onClose'>) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size={size} className={size === 'normal' ? 'copy-as' : undefined} aria-label={label === 'Terraform' ? `Copy ${what} as Terraform` : undefined} onClick={() => setOpened(true)}>
        {label}
      </Button>
      {opened ? <TerraformDialog kind={kind} object={object} what={what} opened onClose={() => setOpened(false)} /> : null}
    </>
  );
}
