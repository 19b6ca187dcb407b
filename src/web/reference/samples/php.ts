/** A call for PHP 8 with its curl extension. */
import { type Call, hasFreshId, type Notation, write } from './call.ts'

const LITERAL: Notation = {
  indent: '    ',
  brackets: { object: '[]', array: '[]' },
  pair: (name, value) => `${name} => ${value}`,
  text: (text) => quote(text),
  plain: (value) => JSON.stringify(value),
  emptyObject: 'new stdClass()',
  freshId: 'uuid4()',
  hasLastComma: true,
}

const UUID4 = `function uuid4(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

`

export function phpOf({ method, url, needsToken, contentType, body }: Call): string {
  const headers = [
    ...(needsToken ? [`'Authorization: Bearer ' . getenv('MALIPO_TOKEN')`] : []),
    ...(contentType === undefined ? [] : [quote(`Content-Type: ${contentType}`)]),
  ]
  const options = [
    'CURLOPT_RETURNTRANSFER => true',
    ...(method === 'GET' ? [] : [`CURLOPT_CUSTOMREQUEST => ${quote(method)}`]),
    ...(headers.length === 0
      ? []
      : [`CURLOPT_HTTPHEADER => [\n        ${headers.join(',\n        ')},\n    ]`]),
    ...(body === undefined
      ? []
      : [`CURLOPT_POSTFIELDS => json_encode(${write(body, LITERAL, '    ')})`]),
  ]
  return `<?php

${hasFreshId(body) ? UUID4 : ''}$curl = curl_init(${quote(url)});
curl_setopt_array($curl, [
    ${options.join(',\n    ')},
]);
$text = curl_exec($curl);
echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $text, PHP_EOL;`
}

const quote = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
