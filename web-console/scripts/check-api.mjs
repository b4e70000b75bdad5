// Fails when src/api/schema.ts is not what the control plane's OpenAPI document generates.
import { readFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const document = new URL('../../control-plane/src/main/openapi/openapi.json', import.meta.url);
const wanted = COMMENT_HEADER + astToString(await openapiTS(document));
const found = readFileSync(new URL('../src/api/schema.ts', import.meta.url), 'utf8');
if (found !== wanted) {
  console.error('src/api/schema.ts does not match control-plane/src/main/openapi/openapi.json: run `npm run api` and commit it.');
  process.exit(1);
}
