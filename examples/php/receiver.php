<?php
// A receiver of callbacks: verifies each one, and answers 200 once it is safe with us.
//   MALIPO_URL=… MALIPO_TOKEN=… CALLBACK_URL=http://127.0.0.1:3000/callbacks \
//     php -S 127.0.0.1:3000 examples/php/receiver.php

declare(strict_types=1);

// As set at the service: a signature is for one address.
define('CALLBACK_URL', getenv('CALLBACK_URL') ?: 'http://127.0.0.1:3000/callbacks');
const COVERED = ['@method', '@authority', '@path', 'signature-date', 'content-digest', 'content-type'];

/** In production keep the list for some minutes, and fetch it again for an unknown id. */
function publicKey(string $keyId): ?string
{
    $url = (getenv('MALIPO_URL') ?: 'http://127.0.0.1:8080') . '/v2/public-key/http';
    $header = 'Authorization: Bearer ' . getenv('MALIPO_TOKEN');
    $context = stream_context_create(['http' => ['header' => $header, 'timeout' => 5]]);
    $keys = json_decode(file_get_contents($url, false, $context), true, flags: JSON_THROW_ON_ERROR);
    return array_column($keys, 'key', 'id')[$keyId] ?? null;
}

/** What is wrong with a callback, or null. */
function problem(array $headers, string $body): ?string
{
    $digest = 'sha-512=:' . base64_encode(hash('sha512', $body, true)) . ':';
    if (!hash_equals($digest, $headers['content-digest'] ?? '')) {
        return 'the body is not the one that was signed';
    }
    $list = '("' . implode('" "', COVERED) . '")';
    $params = preg_replace('/^sig-pp=/', '', $headers['signature-input'] ?? '');
    $isSigned = str_starts_with($params, $list)
        && preg_match('/;keyid="([^"]+)";created=(\d+);expires=(\d+)$/', $params, $named)
        && preg_match('~^sig-pp=:([A-Za-z0-9+/=]+):$~', $headers['signature'] ?? '', $signature);
    if (!$isSigned) {
        return 'it is not signed as callbacks are';
    }
    [, $keyId, $created, $expires] = $named;
    if (time() < $created - 60 || time() > $expires) {
        return 'the signature has expired, or a clock is wrong';
    }
    $key = publicKey($keyId);
    if ($key === null) {
        return "the key is none of the service's";
    }
    $own = parse_url(CALLBACK_URL);
    $values = [
        '@method' => 'POST',
        '@authority' => $own['host'] . (isset($own['port']) ? ":{$own['port']}" : ''),
        '@path' => $own['path'] ?? '/',
    ];
    $base = '';
    foreach (COVERED as $name) {
        $base .= "\"$name\": " . ($values[$name] ?? $headers[$name] ?? '') . "\n";
    }
    $base .= "\"@signature-params\": $params";
    $isGood = openssl_verify($base, base64_decode($signature[1]), $key, OPENSSL_ALGO_SHA256) === 1;
    return $isGood ? null : 'the signature does not verify';
}

$body = file_get_contents('php://input');
$wrong = problem(array_change_key_case(getallheaders()), $body);
// It may come more than once, and about a payment that is not ours: look the identifier up in our
// own books, and store what it says, before we answer.
file_put_contents('php://stdout', $wrong === null ? "verified: $body\n" : "refused: $wrong\n");
http_response_code($wrong === null ? 200 : 401);
